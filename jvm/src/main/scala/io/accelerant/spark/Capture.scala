package io.accelerant.spark

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths, StandardCopyOption}
import java.nio.file.attribute.PosixFilePermissions
import java.time.Instant

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FSDataInputStream
import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.unsafe.Platform

/** Writes a query into one file that can be replayed without Spark; see docs/design/capture.md. */
object Capture {
  private val FormatVersion = 1

  /**
   * Writes `query-<execution id>-<plan hash>.accq` into a folder, created when missing, and runs the query on Spark for its answer. Throws
   * IOException when the folder can't be written to.
   */
  def write(
      folder: String,
      exec: NativeExec,
      judged: JudgedPlan,
      scans: Seq[ScanSplits],
      splits: Array[Byte],
      options: String
  ): Unit = {
    val context = exec.session.sparkContext
    val plan = judged.plan.bytes
    val sections = Seq(
      "plan" -> plan,
      "splits" -> splits,
      "options" -> options.getBytes(UTF_8),
      "settings" -> lines(settings(exec, judged)),
      "files" -> files(scans, exec.session.sessionState.newHadoopConf()),
      "answer" -> lines(PlainSpark.run(SparkAnswer.of(PlainSpark.prepare(
        exec.session,
        IslandExec.restore(exec.original)
      )))),
      "end" -> Array.emptyByteArray
    )
    val execution = Option(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)).getOrElse("none")
    store(Paths.get(folder), f"query-$execution-${hash(plan, 0, plan.length)}%016x.accq", container(sections))
  }

  private def container(sections: Seq[(String, Array[Byte])]): Array[Byte] = {
    val out = new MessageWriter
    out.raw("ACCC".getBytes(UTF_8))
    out.varint(FormatVersion)
    sections.foreach { case (name, bytes) =>
      out.text(name)
      out.blob(bytes)
    }
    out.result()
  }

  private def store(folder: Path, name: String, bytes: Array[Byte]): Unit = {
    Files.createDirectories(folder)
    val mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    val partial = Files.createTempFile(folder, "query-", ".partial", mode)
    Files.write(partial, bytes)
    Files.move(partial, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING)
  }

  private def settings(exec: NativeExec, judged: JudgedPlan): Seq[(String, String)] = {
    val master = exec.session.sparkContext.master
    val bridged = judged.report.bridged.toSeq.flatMap(calls => judged.plan.plans.flatMap(p => calls.names(p._2)))
    Seq(
      "spark.version" -> SPARK_VERSION,
      "spark.master" -> master,
      "java.version" -> System.getProperty("java.version"),
      "accelerant.version" -> Native.version,
      "cores" -> LocalMaster.cores(master).getOrElse(0).toString,
      "captured.at" -> Instant.now.toString
    ) ++ Option.when(bridged.nonEmpty)("bridged" -> bridged.distinct.mkString(", ")) ++ exec.conf.redactOptions(
      Settings.ofSession(exec.conf)
    )
  }

  private def files(scans: Seq[ScanSplits], hadoop: Configuration): Array[Byte] = {
    val distinct = scans.flatMap(_.partitions).flatMap(_.files).distinctBy(_.urlEncodedPath)
    val records = distinct.map { file =>
      Seq(file.urlEncodedPath, file.fileSize.toString, file.modificationTime.toString, tailHash(file, hadoop))
        .map(escape).mkString("\t")
    }
    records.map(_ + "\n").mkString.getBytes(UTF_8)
  }

  private def tailHash(file: PartitionedFile, hadoop: Configuration): String =
    try {
      val path = file.toPath
      val in = path.getFileSystem(hadoop).open(path)
      try f"${FileTail.hash(in, file.fileSize)}%016x"
      finally in.close()
    } catch { case _: java.io.IOException => "-" }

  /** Standard XXH64 with seed 0, from Spark's own implementation. */
  private[spark] def hash(bytes: Array[Byte], start: Int, length: Int): Long =
    XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET + start, length, 0)

  private def lines(pairs: Seq[(String, String)]): Array[Byte] =
    pairs.map { case (name, value) => s"$name=${escape(value)}\n" }.mkString.getBytes(UTF_8)

  private def escape(value: String): String =
    value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
}

/** The end of a data file, which changes whenever the file does: a Parquet footer, or the last bytes. */
private object FileTail {
  private val OtherBytes = 8192
  private val TrailerBytes = 8

  def hash(in: FSDataInputStream, size: Long): Long = {
    val trailer = read(in, size, math.min(TrailerBytes, size).toInt)
    val length = footerBytes(trailer).filter(_ <= size).getOrElse(math.min(OtherBytes, size))
    val tail = read(in, size, Math.toIntExact(length))
    Capture.hash(tail, 0, tail.length)
  }

  private def footerBytes(trailer: Array[Byte]): Option[Long] =
    Option.when(trailer.length == TrailerBytes && Seq("PAR1", "PARE").contains(new String(trailer, 4, 4, UTF_8))) {
      (Platform.getInt(trailer, Platform.BYTE_ARRAY_OFFSET) & 0xffffffffL) + TrailerBytes
    }

  private def read(in: FSDataInputStream, size: Long, length: Int): Array[Byte] = {
    val bytes = new Array[Byte](length)
    in.readFully(size - length, bytes)
    bytes
  }
}
