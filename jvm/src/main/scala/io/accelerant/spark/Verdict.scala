package io.accelerant.spark

/** What the engine says of one plan node. */
final case class NodeVerdict(index: Int, native: Boolean, operator: String, reason: String)

/** How a consumer other than `collect` may divide a query's result. */
object ResultPartitioning extends Enumeration {
  val Single, Independent, Shared = Value
}

/**
 * The engine's answer to a plan message.
 *
 * @param needsSpark what may meet values that only Spark can compute
 */
final case class Verdict(
    supported: Boolean,
    partitioning: ResultPartitioning.Value,
    nodes: Seq[NodeVerdict],
    settings: Seq[(String, String)],
    needsSpark: Option[String]
)

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
      needsSpark = records.collectFirst { case Seq("needs_spark", call) => call }
    )
  }

  private def partitioning(name: String): ResultPartitioning.Value =
    ResultPartitioning.values.find(_.toString.equalsIgnoreCase(name))
      .getOrElse(throw new IllegalArgumentException(s"unknown partitioning $name in the engine's verdict"))
}
