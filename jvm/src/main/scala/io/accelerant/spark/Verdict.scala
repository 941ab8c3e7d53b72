package io.accelerant.spark

import org.apache.spark.sql.catalyst.expressions.{Expression, ScalaUDF}
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.execution.SparkPlan

/** What the engine says of one plan node. */
final case class NodeVerdict(index: Int, native: Boolean, operator: String, reason: String)

/** How a consumer other than `collect` may divide a query's result. */
object ResultPartitioning extends Enumeration {
  val Single, Independent, Shared = Value
}

/**
 * The engine's answer to a plan message.
 *
 * @param bridged what Spark's own code computes inside the native query
 * @param needsSpark what may meet values that only Spark can compute
 */
final case class Verdict(
    supported: Boolean,
    partitioning: ResultPartitioning.Value,
    nodes: Seq[NodeVerdict],
    settings: Seq[(String, String)],
    bridged: Seq[BridgedCall],
    needsSpark: Option[String]
) {

  /** Returns the verdict without certain operators, for a reason. */
  def refusing(plan: EncodedPlan, refused: SparkPlan => Boolean, reason: String): Verdict = {
    val others = nodes.map { node =>
      plan.nodes(node.index) match {
        case p: SparkPlan if refused(p) => node.copy(native = false, reason = reason)
        case _ => node
      }
    }
    copy(supported = supported && others.forall(_.native), nodes = others)
  }
}

/** The operators of a plan that call Spark's code, and what they call. */
final class BridgedCalls(plan: EncodedPlan, calls: Seq[BridgedCall]) {
  private val owners: Seq[(SparkPlan, BridgedCall)] = for {
    call <- calls
    called = plan.nodes(call.expression).asInstanceOf[Expression]
    (_, owner) <- plan.plans.find(_._2.expressions.exists(_.exists(_ eq called)))
  } yield owner -> call

  def of(operator: SparkPlan): Seq[BridgedCall] = owners.collect { case (owner, call) if owner eq operator => call }

  /** Returns the names of the functions that an operator calls, of some calls or all. */
  def names(operator: SparkPlan, which: BridgedCall => Boolean = _ => true): Seq[String] =
    of(operator).filter(which).map(call => plan.nodes(call.expression)).map {
      case udf: ScalaUDF => udf.name
      case invoke: StaticInvoke => invoke.functionName
      case e: Expression => e.prettyName
      case node => node.nodeName
    }.distinct
}

object Verdict {

  /** Reads a verdict message; see plan-message.md. Throws IllegalArgumentException when it can't be read. */
  def parse(message: String): Verdict = {
    val records = message.linesIterator.filter(_.nonEmpty).map(_.split("\t", -1).toSeq).toSeq
    Verdict(
      supported = records.contains(Seq("supported", "true")),
      partitioning = records.collectFirst { case Seq("partitioning", name) => partitioning(name) }
        .getOrElse(ResultPartitioning.Single),
      nodes = records.collect { case Seq("node", index, verdict, operator, reason, _*) =>
        NodeVerdict(index.toInt, verdict == "native", operator, reason)
      },
      settings = records.collect { case Seq("setting", name, reason, _*) => name -> reason },
      bridged = records.collect { case Seq(kind @ ("bridged" | "bridged_rows"), expression, arguments @ _*) =>
        BridgedCall(expression.toInt, arguments.map(_.toInt), kind == "bridged_rows")
      },
      needsSpark = records.collectFirst { case Seq("needs_spark", call) => call }
    )
  }

  private def partitioning(name: String): ResultPartitioning.Value =
    ResultPartitioning.values.find(_.toString.equalsIgnoreCase(name))
      .getOrElse(throw new IllegalArgumentException(s"unknown partitioning $name in the engine's verdict"))
}
