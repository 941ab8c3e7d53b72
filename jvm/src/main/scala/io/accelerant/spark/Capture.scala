package io.accelerant.spark

import java.time.Instant

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.execution.SQLExecution

/** Has the engine write a query into one file that can be replayed without Spark; see docs/design/capture.md. */
object Capture {

  /**
   * Writes `query-<execution id>-<plan hash>.accq` into a folder, created when missing, and runs the query on Spark for its answer. Throws
   * a NativeError when the folder can't be written to.
   */
  def write(folder: String, exec: NativeExec, judged: JudgedPlan, splits: Array[Byte], options: String): Unit = {
    val plan = PlainSpark.prepare(exec.session, IslandExec.restore(exec.original))
    val answer = PlainSpark.run(SparkAnswer.of(plan))
    val execution = exec.session.sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    val texts = Array(options, lines(settings(exec, judged)), lines(answer))
    Native.writeCapture(folder, Option(execution).getOrElse("none"), judged.plan.bytes, splits, texts)
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

  private def lines(pairs: Seq[(String, String)]): String =
    pairs.map { case (name, value) => s"$name=${escape(value)}\n" }.mkString

  private def escape(value: String): String =
    value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
}
