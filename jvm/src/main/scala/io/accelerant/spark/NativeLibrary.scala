package io.accelerant.spark

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import java.nio.file.attribute.PosixFilePermissions

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging

/** Finds, loads and stops the engine's library; it is loaded at most once in a JVM. */
object NativeLibrary extends Logging {
  private val FileName = "libaccelerant.so"
  private var loaded: Option[String] = None
  @volatile private var failure: Option[String] = Some("the plugin has not started")

  /** Returns why the engine can't be used, if it can't. */
  def problem: Option[String] = failure

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

  private def locate(conf: SparkConf): Path =
    conf.getOption(Settings.Library).orElse(sys.env.get("ACCELERANT_LIBRARY")) match {
      case Some(path) => Paths.get(path)
      case None => extract()
    }

  /** Copies the library and those it needs out of the jar into a fresh folder only this user can enter. */
  private def extract(): Path = {
    val platform =
      s"${System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT)}-${System.getProperty("os.arch")}"
    val folder = Files.createTempDirectory(
      "accelerant-",
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
    )
    folder.toFile.deleteOnExit()
    val names =
      new String(resource(s"/native/$platform/files", _.readAllBytes()), UTF_8).linesIterator.filter(_.nonEmpty)
    names.foreach { name =>
      val target = folder.resolve(name)
      target.toFile.deleteOnExit()
      resource(s"/native/$platform/$name", Files.copy(_, target))
    }
    folder.resolve(FileName)
  }

  private def resource[T](name: String, read: java.io.InputStream => T): T = {
    val stream = getClass.getResourceAsStream(name)
    if (stream == null) throw new UnsatisfiedLinkError(s"the jar has no $name and ${Settings.Library} is not set")
    try read(stream)
    finally stream.close()
  }
}
