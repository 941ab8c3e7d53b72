package io.accelerant.spark

import java.nio.file.{Files, Path, Paths}

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction

/** Finds, loads and stops the engine's library; it is loaded at most once in a JVM. */
object NativeLibrary extends Logging {
  private var loaded: Option[String] = None
  @volatile private var failure: Option[String] = Some("the plugin has not started")

  /** Returns why the engine can't be used, if it can't. */
  def problem: Option[String] = failure

  private lazy val aggregates = Native.aggregates().linesIterator.toSet

  /** Returns whether the engine computes an aggregate of Spark's, whatever its types. */
  def hasAggregate(function: AggregateFunction): Boolean = aggregates(function.getClass.getName)

  /** Loads the library and sets the process up. Never throws: what goes wrong is logged and kept as the problem. */
  def start(conf: SparkConf, cores: Int): Unit = synchronized {
    failure =
      try {
        val path = load(conf)
        Native.configure(Settings.processOptions(conf, cores))
        logInfo(s"Accelerant ${Native.version} runs queries natively on $cores threads, library $path")
        None
      } catch {
        case e @ (_: LinkageError | _: Exception) =>
          logError(s"Accelerant can't use its library, queries run on Spark: $e")
          Some(s"the native library can't be used: $e")
      }
  }

  private def load(conf: SparkConf): String = loaded.getOrElse {
    val path = locate(conf).toAbsolutePath
    if (!Files.isRegularFile(path)) throw new UnsatisfiedLinkError(s"$path is not a file")
    System.load(path.toString)
    loaded = Some(path.toString)
    Runtime.getRuntime.addShutdownHook(new Thread(() => stop(), "accelerant-shutdown"))
    path.toString
  }

  private def stop(): Unit = {
    NativeQuery.cancelAll()
    Native.shutdown()
  }

  private def locate(conf: SparkConf): Path = {
    val named = conf.getOption(Settings.Library).orElse(sys.env.get("ACCELERANT_LIBRARY"))
    val missing = s"neither ${Settings.Library} nor ACCELERANT_LIBRARY names it; `accelerant conf` prints what to set"
    Paths.get(named.getOrElse(throw new UnsatisfiedLinkError(missing)))
  }
}
