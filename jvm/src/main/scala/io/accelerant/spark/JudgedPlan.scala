package io.accelerant.spark

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf

/** A plan the engine has judged: the message, what the engine has of it for its runs, the verdict on it and the report for people. */
final class JudgedPlan(
    val plan: EncodedPlan,
    val prepared: PreparedQuery,
    val verdict: Verdict,
    val report: NativeReport,
    val tooCostly: Option[ReportLine] = None
) {

  /** Returns the same of a plan that is not divided, for a reason. */
  def undivided(reason: String): JudgedPlan = {
    val line = Some(ReportLine("island", Some(reason)))
    new JudgedPlan(plan, prepared, verdict, NativeReport.judged(plan, verdict, line), line)
  }

  /** Whether the result has a partition for each one of the caches it reads: Spark may count on how these are sorted. */
  def keepsPartitions: Boolean =
    verdict.partitioning == ResultPartitioning.Independent && CachedTable.isSorted(plan)
}

object JudgedPlan {
  private val CachesOff = s"setting ${Settings.Caches} is false"
  private val Observed = "metrics of what fills the cache are observed, in Spark's plan"

  /** Encodes a plan and asks the engine about it; whether it was accepted is in the verdict. */
  def judge(plan: SparkPlan, conf: SQLConf): JudgedPlan = {
    val encoded = PlanEncoder.encode(plan, conf)
    val prepared = PreparedQuery.of(encoded)
    val cores = LocalMaster.cores(plan.session.sparkContext.master).getOrElse(1)
    val engines = prepared.verdict(Settings.runOptions(conf, cores), encoded)
    val observed = engines.refusing(encoded, p => CachedTable.isScan(p) && CachedTable.isObserved(p), Observed)
    val verdict = if (Settings.caches(conf)) observed else observed.refusing(encoded, CachedTable.isScan, CachesOff)
    new JudgedPlan(encoded, prepared, verdict, NativeReport.judged(encoded, verdict))
  }
}
