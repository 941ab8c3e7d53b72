package io.accelerant.spark

import java.util.IdentityHashMap

import org.apache.spark.sql.catalyst.expressions.{Attribute, DynamicPruning}
import org.apache.spark.sql.catalyst.plans.physical.{HashPartitioning, UnspecifiedDistribution}
import org.apache.spark.sql.execution.{CoalesceExec, FileSourceScanExec, SortExec, SparkPlan, TakeOrderedAndProjectExec}
import org.apache.spark.sql.execution.datasources.WriteFilesExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.internal.SQLConf

/** Divides plans that the engine has most operators of: the others become islands. */
private object PlanDivider {

  /** What a plan became, and what the engine runs of it. */
  final case class Divided(plan: SparkPlan, judged: JudgedPlan)

  /** Each round moves islands up by an operator at least where the engine can't read their rows, a nested column, say. */
  private val MostRounds = 16

  /**
   * Returns the plan with islands in the place of what the engine lacks. None where the top operator is lacking, where nothing above the
   * islands is worth it, or where islands are no help.
   *
   * @param judged what the engine says of the whole plan
   */
  def divide(plan: SparkPlan, judged: JudgedPlan, conf: SQLConf): Option[Divided] =
    if (!Settings.islands(conf)) None
    else
      Iterator.iterate(Option(Divided(plan, judged)))(_.flatMap(next(_, conf)))
        .take(MostRounds)
        .takeWhile(_.isDefined)
        .flatten
        .find(_.judged.verdict.supported)
        .filter(divided => isWorthIt(divided.plan))

  /** Says whether a native piece above islands does more than to pass rows on. Bringing rows here takes less than Spark's writer does. */
  def isWorthIt(plan: SparkPlan): Boolean = plan match {
    case write: WriteFilesExec =>
      !showsPartitions(write.child, write.partitionColumns.map(_.name).toSet, isInIsland = false)
    case other => other.exists(IslandCost.isWorthwhile)
  }

  /**
   * Says whether there is something native below one of Spark's operators that is worth it: a scan is, even if all its rows go on to Spark.
   *
   * @param judged what the engine says of a plan that this one is a part of
   */
  def isWorthItBelow(plan: SparkPlan, judged: JudgedPlan): Boolean = {
    val native = new IdentityHashMap[AnyRef, Unit]
    judged.verdict.nodes.filter(_.native).foreach(node => native.put(judged.plan.nodes(node.index), ()))
    plan.exists(node => paysBelow(node) && native.containsKey(node))
  }

  /** Says whether an operator pays below one of Spark's, if the engine has it. A join of Spark's chooses partitions of Spark's scans only. */
  def paysBelow(node: SparkPlan): Boolean = node match {
    case scan: FileSourceScanExec => !scan.partitionFilters.exists(_.exists(_.isInstanceOf[DynamicPruning]))
    case other => IslandCost.isWorthwhile(other)
  }

  /** Says whether files show how an island parts or sorts its rows. If it has rows of a folder together, they have one file here, too. */
  private def showsPartitions(plan: SparkPlan, folders: Set[String], isInIsland: Boolean): Boolean = plan match {
    case island: IslandExec => showsPartitions(island.original, folders, isInIsland = true)
    case exchange: ShuffleExchangeLike =>
      !Consumers.isRequiredExchange(exchange) && (exchange.outputPartitioning match {
        case HashPartitioning(keys, _) => !keys.forall { case a: Attribute => folders(a.name); case _ => false }
        case _ => true
      })
    case _: CoalesceExec => true
    case sort: SortExec => isInIsland || !sort.global && showsPartitions(sort.child, folders, isInIsland)
    case _: TakeOrderedAndProjectExec => false
    case other =>
      other.children.zip(other.requiredChildDistribution).exists { case (child, wanted) =>
        wanted == UnspecifiedDistribution && showsPartitions(child, folders, isInIsland)
      }
  }

  private def next(divided: Divided, conf: SQLConf): Option[Divided] = {
    val judged = divided.judged
    val reasons = new IdentityHashMap[SparkPlan, String]
    judged.verdict.nodes.filterNot(_.native).foreach { node =>
      judged.plan.nodes(node.index) match {
        case plan: SparkPlan => reasons.put(plan, node.reason)
        case _ =>
      }
    }
    val reasonOf = (node: SparkPlan) => Option(reasons.get(node)).orElse(unreadable(node, reasons))
    val mayHelp = judged.verdict.settings.isEmpty && reasonOf(divided.plan).isEmpty
    Option.when(mayHelp)(replace(divided.plan, reasonOf)).filterNot(_ eq divided.plan).filterNot(mustStay)
      .map(replaced => Divided(replaced, JudgedPlan.judge(replaced, conf)))
  }

  /** Says whether a plan has what may be no island, or an operator twice whose values differ each time: Spark may have one exchange for both. */
  private def mustStay(plan: SparkPlan): Boolean = {
    val originals = plan.collect { case island: IslandExec => island.original }
    val varying = originals.flatMap(_.collect { case node if Rereading.isOfChance(node) => node.canonicalized })
    originals.exists(!mayBeIsland(_)) || varying.distinct.size < varying.size
  }

  /** Says whether a plan can be an island: nobody looks for it in Spark's plan to read its metrics, and no code in it asks for its task. */
  def mayBeIsland(plan: SparkPlan): Boolean = !plan.exists { inside =>
    CachedTable.isObserved(inside) || Consumers.isOfStream(inside) || Closures.askForTask(inside)
  }

  /** Returns why the engine can't read an island below an operator, if so. */
  private def unreadable(node: SparkPlan, reasons: IdentityHashMap[SparkPlan, String]): Option[String] =
    node.children.collectFirst { case island: IslandExec if reasons.containsKey(island) => reasons.get(island) }

  /** Puts islands in the place of the topmost operators that have a reason. */
  private def replace(node: SparkPlan, reasonOf: SparkPlan => Option[String]): SparkPlan =
    reasonOf(node) match {
      case Some(reason) =>
        val island = IslandExec(IslandExec.restore(node), reason)
        island.copyTagsFrom(node)
        island
      case None =>
        val children = node.children.map(replace(_, reasonOf))
        if (children.corresponds(node.children)(_ eq _)) node else node.withNewChildren(children)
    }
}
