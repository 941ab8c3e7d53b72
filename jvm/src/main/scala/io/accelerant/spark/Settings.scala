package io.accelerant.spark

import java.util.Locale

import org.apache.spark.{SPARK_VERSION, SparkConf}
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.internal.SQLConf

/** The settings named `spark.accelerant.*`. Those of a session may be set at any time and count for the next query. */
object Settings {
  private val Prefix = "spark.accelerant."

  /** Of a session: run queries natively where the engine can. Default true. */
  val Enabled: String = Prefix + "enabled"

  /**
   * Of a session: fail a query whose conversion throws, instead of leaving it to Spark, or which runs on the host where `device` asks for
   * another place; for tests. Default false.
   */
  val Strict: String = Prefix + "strict"

  /** Of a session: have Spark's own code compute expressions that the engine lacks, inside native queries. Default true. */
  val Bridge: String = Prefix + "bridge"

  /** Of a session: run what the engine has of a plan natively around operators that stay Spark's. Default true. */
  val Islands: String = Prefix + "islands"

  /** Of a session: leave to Spark what would gain less than it costs to bring islands' rows to the engine. Default true. */
  val IslandsWeighed: String = Prefix + "islands.weighed"

  /** Of a session: read cached relations within native queries. Default true. */
  val Caches: String = Prefix + "caches"

  /** Of a session: have the engine write the files that it can write. Default true. */
  val Writes: String = Prefix + "writes"

  /** Of a session: folder that gets one file a native query; see docs/design/capture.md. Default: none. */
  val CaptureDir: String = Prefix + "capture.dir"

  /** Of a session: rows of a batch, for tests; the engine chooses by default. */
  val BatchRows: String = Prefix + "batch.rows"

  /** Of a session, for tests: a seed, with which every step of a query is interrupted many times; 0: none is. */
  val Interruptions: String = Prefix + "interruptions"

  /** Of a session: worker threads of a query; by default as many as Spark has cores. */
  val Threads: String = Prefix + "threads"

  /** Of a session: memory a query may take, in bytes or with a suffix (2g). Of the application: what all may take. */
  val MemoryLimit: String = Prefix + "memory.limit"

  /** Of the application: what files of rows that memory is too short for may take in all; 0, the default: no limit. */
  val SpillLimit: String = Prefix + "spill.limit"

  /** Of a session: where pipelines run: auto, cpu, gpu, emu (an emulated device); see docs/design/device.md. */
  val Device: String = Prefix + "device"

  /** Of the application: path of libaccelerant.so; by default what the variable ACCELERANT_LIBRARY says. */
  val Library: String = Prefix + "library"

  private val Switches = Set(Enabled, Strict, Bridge, Islands, IslandsWeighed, Caches, Writes)
  private val Names =
    Switches ++ Set(CaptureDir, BatchRows, Interruptions, Threads, MemoryLimit, SpillLimit, Library, Device)

  private val OnlyAtStart = s"$Library can only be set when the application starts"
  private val Devices = Set("auto", "cpu", "gpu", "emu")

  /** Returns what is wrong with the application's settings: an unknown name or an unreadable value. */
  def problem(conf: SparkConf): Option[String] = problem(conf.getAllWithPrefix(Prefix).map(p => Prefix + p._1 -> p._2))

  /** Returns what is wrong with a session's settings. */
  def problem(session: SQLConf, application: => SparkConf): Option[String] = {
    val own = session.getAllConfs.filter(_._1.startsWith(Prefix))
    if (own.isEmpty) None
    else problem(own).orElse(own.get(Library).filterNot(application.getOption(Library).contains).map(_ => OnlyAtStart))
  }

  private def problem(settings: Iterable[(String, String)]): Option[String] =
    settings.toSeq.sorted.collectFirst(Function.unlift { case (name, value) =>
      if (!Names(name)) Some(s"unknown setting $name; known are ${Names.toSeq.sorted.mkString(", ")}")
      else expected(name, value).map(wanted => s"setting $name can't be '$value': $wanted")
    })

  /** Returns what a setting's value has to be, if it is something else. */
  private def expected(name: String, value: String): Option[String] = name match {
    case switch if Switches(switch) => Option.when(value.toBooleanOption.isEmpty)("true or false")
    case BatchRows | Threads => Option.when(!value.toIntOption.exists(_ >= 0))("a number, 0 for the engine's choice")
    case Interruptions => Option.when(!value.toIntOption.exists(_ >= 0))("a number, 0 for none")
    case Device => Option.when(!Devices(value))(Devices.toSeq.sorted.mkString(", "))
    case MemoryLimit | SpillLimit =>
      Option.when(!scala.util.Try(bytes(value)).toOption.exists(_ >= 0))("bytes, or a size like 2g")
    case _ => None
  }

  /** Says whether a session wants native queries; where that can't be read, {@link #problem} says so. */
  def enabled(conf: SQLConf): Boolean = isOn(conf, Enabled)

  def strict(conf: SQLConf): Boolean = isOn(conf, Strict, default = false)

  def bridge(conf: SQLConf): Boolean = isOn(conf, Bridge)

  def islands(conf: SQLConf): Boolean = isOn(conf, Islands)

  def islandsWeighed(conf: SQLConf): Boolean = isOn(conf, IslandsWeighed)

  def caches(conf: SQLConf): Boolean = isOn(conf, Caches)

  def writes(conf: SQLConf): Boolean = isOn(conf, Writes)

  private def isOn(conf: SQLConf, name: String, default: Boolean = true): Boolean =
    conf.getConfString(name, default.toString).toBooleanOption.getOrElse(default)

  def device(conf: SQLConf): String = conf.getConfString(Device, "cpu")

  def captureDir(conf: SQLConf): Option[String] = Option(conf.getConfString(CaptureDir, null)).filter(_.nonEmpty)

  /** Returns the options of a run as text for the engine; see plan-message.md. */
  def runOptions(conf: SQLConf, cores: Int): String =
    lines(
      "threads" -> conf.getConfString(Threads, cores.toString),
      "batch_rows" -> conf.getConfString(BatchRows, "0"),
      "interruptions" -> conf.getConfString(Interruptions, "0"),
      "memory_limit_bytes" -> bytes(conf.getConfString(MemoryLimit, "0")),
      "device" -> device(conf),
      "strict" -> strict(conf)
    )

  /** Returns what belongs to the process as text for the engine. */
  def processOptions(conf: SparkConf, cores: Int): String =
    lines(
      "threads" -> conf.get(Threads, cores.toString),
      "memory_limit_bytes" -> bytes(conf.get(MemoryLimit, "0")),
      "heap_bytes" -> Runtime.getRuntime.maxMemory,
      "spill_folders" -> SparkInternals.localFolders(conf),
      "spill_limit_bytes" -> bytes(conf.get(SpillLimit, "0")),
      "spill_encrypted" -> conf.getBoolean("spark.io.encryption.enabled", false)
    )

  /** Returns a session's own settings, sorted by name. */
  def ofSession(conf: SQLConf): Seq[(String, String)] = conf.getAllConfs.filter(_._1.startsWith(Prefix)).toSeq.sorted

  private def lines(pairs: (String, Any)*): String = pairs.map { case (name, value) => s"$name=$value\n" }.mkString

  private def bytes(text: String): Long = JavaUtils.byteStringAsBytes(text.toLowerCase(Locale.ROOT))
}

/** Spark's settings that go with a plan. */
object SessionSettings {
  private val Always = Seq("spark.sql.session.timeZone", "spark.sql.ansi.enabled")
  private lazy val defaults = new SQLConf

  /** Java's version shows in numbers that become text. */
  private val JavaVersion = "java.specification.version"

  /** Languages in whose locales ICU, which reads the JVM's, has letters in other cases. */
  private val OwnCases = Set("az", "el", "hy", "lt", "nl", "tr")

  /** Returns every `spark.sql.*` setting that differs from its default, but for where tables lie, secrets redacted, and
   * Java's version, sorted by name. */
  def ofQuery(conf: SQLConf): Seq[(String, String)] = {
    val changed = conf.getAllConfs.filter { case (name, value) =>
      name.startsWith("spark.sql.") && name != "spark.sql.warehouse.dir" && !defaultOf(name).contains(value)
    }
    val always =
      Always.map(name => name -> conf.getConfString(name)) :+ (JavaVersion -> System.getProperty(JavaVersion))
    val cases = Option.when(OwnCases(Locale.getDefault.getLanguage))("spark.sql.icu.caseMappings.enabled" -> "locale")
    conf.redactOptions(changed ++ always ++ cases).toSeq.sorted
  }

  private def defaultOf(name: String): Option[String] =
    scala.util.Try(defaults.getConfString(name)).toOption // has none, or Spark does not know it
}

/** The cores of a Spark that runs in this one process. */
object LocalMaster {
  private val Cores = """local\[(\d+|\*)(?:,\s*\d+)?\]""".r

  /** Returns N for local[N], None for a cluster. */
  def cores(master: String): Option[Int] = master match {
    case "local" => Some(1)
    case Cores("*") => Some(Runtime.getRuntime.availableProcessors)
    case Cores(n) => Some(n.toInt)
    case _ => None
  }

  /** Describes why another master gets no native queries yet. */
  def reason(master: String): String =
    s"Spark $SPARK_VERSION runs on $master, only local[N] is supported: start it with --master local[*]"
}
