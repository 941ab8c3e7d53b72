package io.accelerant.spark

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

/** Puts the two doors into a session. */
final class NativeExtensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectQueryPostPlannerStrategyRule(session => new WholeQueryRule(session))
    extensions.injectColumnar(session => new RemainingPlansRule(session))
  }
}

/** The main door: adaptive execution hands over the whole plan, before exchanges. */
final class WholeQueryRule(session: SparkSession) extends Rule[SparkPlan] {
  private val converter = new QueryConverter(session)

  override def apply(plan: SparkPlan): SparkPlan = converter.convert(plan, isWhole = true)
}

/** The second door: plans without exchanges, which adaptive execution does not wrap, and all plans when it is off. */
final class RemainingPlansRule(session: SparkSession) extends ColumnarRule {
  private val converter = new QueryConverter(session)

  /** Adaptive execution comes here with what is below each of its exchanges. */
  override def preColumnarTransitions: Rule[SparkPlan] =
    plan => converter.convert(plan, isWhole = !plan.conf.adaptiveExecutionEnabled)
}
