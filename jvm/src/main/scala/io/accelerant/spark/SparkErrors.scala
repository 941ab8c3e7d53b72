package io.accelerant.spark

import scala.util.control.NonFatal

import org.apache.spark.{QueryContext, SparkException, SparkThrowable, TaskKilledException}
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.{ScalarSubquery => ExecScalarSubquery, _}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.Exchange
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

/** Turns the engine's errors into those Spark raises in the same case. */
object SparkErrors extends PredicateHelper {
  val Unsupported = "UNSUPPORTED"

  private val OutOfBudget = "OUT_OF_BUDGET"

  /** Stands for a column the engine did not read. */
  private val Unread = AttributeReference("unread", NullType)()

  /** Whether Spark should run the query instead: the engine can't, or has not the memory for it, where Spark goes to disk. */
  def leavesToSpark(error: NativeError): Boolean = error.kind == Unsupported || isOverBudget(error)

  /** Whether an exception is of the engine, not of a row. */
  def isEngines(error: Throwable): Boolean =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).exists(_.isInstanceOf[NativeError])

  def isOverBudget(error: NativeError): Boolean = error.errorClass == OutOfBudget

  /** Returns Spark's exception for an error of the engine and frees the row that came with it. */
  def translate(error: NativeError, plan: EncodedPlan): Throwable =
    try
      error.kind match {
        case Unsupported if error.errorClass.isEmpty => replay(error, plan).getOrElse(tooLate(error))
        case "USER" | Unsupported =>
          replay(error, plan).orElse(provoke(error, plan)).getOrElse(fromCondition(error, plan))
        case "CANCELLED" => new TaskKilledException(error.getMessage)
        case _ => new SparkException(error.getMessage, error)
      }
    finally release(error)

  /** Frees the row that came with an error. */
  def release(error: NativeError): Unit = if (error.row != 0) Native.releaseBatch(error.row)

  private def tooLate(error: NativeError): Throwable = {
    val advice = s"parts of the result have left, so that Spark can't take over: set ${Settings.Enabled}=false for it"
    val condition = Option(error.errorClass).filter(_.nonEmpty)
    new SparkException(s"${error.getMessage}; $advice", error, condition, parameters(error), Array.empty[QueryContext])
  }

  private def parameters(error: NativeError): Map[String, String] =
    error.parameters.grouped(2).collect { case Array(name, value) => name -> value }.toMap

  /** Evaluates a failed node's expressions, the failed one first, on the failed row, with Spark's code, else its interpreter, for its exception. */
  private def replay(error: NativeError, plan: EncodedPlan): Option[Throwable] =
    plan.nodes.lift(error.planNode).collect { case node: SparkPlan => evaluatedBy(node) } match {
      case Some(expressions) if error.row != 0 =>
        val named = error.rowAttributes.toSeq.map(plan.nodes.lift)
        val input = named.map {
          case Some(a: AttributeReference) => a
          case Some(p: SparkPlan) => AttributeReference("subquery", p.output.head.dataType)()
          case _ => Unread
        }
        val values = named.zip(input).collect { case (Some(p: SparkPlan), value) => p -> value }
        val columns = NativeColumnVector.columns(DataTypeUtils.fromAttributes(input))
        NativeColumnVector.attachBatch(error.row, columns)
        // Spark's interpreter takes nulls of arrays for values where these are of columns.
        val row = UnsafeProjection.create(input.map(_.dataType).toArray)
          .apply(new ColumnarBatch(columns.toArray[ColumnVector], 1).getRow(0))
        val known = AttributeSet(input)
        val failed = plan.nodes.lift(error.expression)
        val (ofKnown, others) = expressions.sortBy(e => !e.exists(failed.contains)).map(withValues(_, values))
          .filterNot(_.exists(_.isInstanceOf[ExecSubqueryExpression])).partition(_.references.subsetOf(known))
        val all = ofKnown ++ others.map(withNulls(_, known))
        all.iterator.flatMap(e => failureOfCode(e, input, row).orElse(failure(e, input, row))).nextOption()
      case _ => None
    }

  /** Puts what stands for their values in the place of subqueries. */
  private def withValues(expression: Expression, values: Seq[(SparkPlan, Attribute)]): Expression =
    expression.transform { case s: ExecScalarSubquery =>
      values.collectFirst {
        case (plan, value) if plan.sameResult(Subqueries.planOf(s, SQLConf.get)) => value
      }.getOrElse(s)
    }

  /** Puts null in the place of columns that the engine did not read, as their values make no difference. */
  private def withNulls(expression: Expression, known: AttributeSet): Expression =
    expression.transform { case a: Attribute if !known.contains(a) => Literal(null, a.dataType) }

  /** Returns what the engine evaluates for a node: of an aggregation, which it does in one, on the rows read and then on groups. */
  private def evaluatedBy(node: SparkPlan): Seq[Expression] = node match {
    case p: BaseAggregateExec => stepsOf(p).flatMap(expressionsOf) ++ p.resultExpressions
    case p => expressionsOf(p)
  }

  /** Returns the steps of an aggregation, the one that reads the rows first; before it, if there is one below, those of another. */
  private def stepsOf(node: SparkPlan): Seq[SparkPlan] = node match {
    case p: BaseAggregateExec => stepsOf(p.child) :+ p
    case exchange: Exchange => stepsOf(exchange.child)
    case _ => Nil
  }

  /**
   * Lets an aggregate function of Spark's fail, the one that failed natively, to get Spark's own exception: there is no single row to
   * blame, but two buffers with one value full to the brim fail to merge in the same way; where that value is the number of rows and the
   * rest are zeros, they are of equal rows, of which some statistics divide by zero.
   */
  private def provoke(error: NativeError, plan: EncodedPlan): Option[Throwable] = {
    val failed = plan.nodes.lift(error.expression).map {
      case AggregateExpression(function, _, _, _, _) => function
      case node => node
    }
    failed.collect {
      case function: DeclarativeAggregate =>
        val types = function.aggBufferAttributes.map(_.dataType)
        // One at a time, since a number of rows overflows as well.
        types.indices.iterator.flatMap { i =>
          merging(function, types.zipWithIndex.map { case (t, j) => if (i == j) fullest(t) else smallest(t) })
        }.nextOption()
    }.flatten
  }

  /** Returns how an aggregate function fails to merge a buffer with itself. */
  private def merging(function: DeclarativeAggregate, buffer: Seq[Any]): Option[Throwable] =
    try {
      val merged = function.mergeExpressions.zip(function.aggBufferAttributes).map { case (expression, attribute) =>
        val value = bind(expression, function.aggBufferAttributes ++ function.inputAggBufferAttributes)
          .eval(InternalRow.fromSeq(buffer ++ buffer))
        kept(value, attribute.dataType)
      }
      failure(function.evaluateExpression, function.aggBufferAttributes, InternalRow.fromSeq(merged))
    } catch { case NonFatal(e) => Some(e) }

  /** Returns what Spark's aggregation buffer makes of a value: a decimal that does not fit becomes null. */
  private def kept(value: Any, dataType: DataType): Any = (value, dataType) match {
    case (d: Decimal, t: DecimalType) if !d.clone().changePrecision(t.precision, t.scale) => null
    case _ => value
  }

  private def fullest(dataType: DataType): Any = dataType match {
    case LongType => Long.MaxValue
    case IntegerType => Int.MaxValue
    case DoubleType => 1.0
    case d: DecimalType => Decimal(BigDecimal(BigInt(10).pow(d.precision) - 1, d.scale), d.precision, d.scale)
    case other => smallest(other)
  }

  private def smallest(dataType: DataType): Any = dataType match {
    case LongType => 1L
    case IntegerType => 1
    case DoubleType => 0.0
    case d: DecimalType => Decimal(BigDecimal(0), d.precision, d.scale)
    case BooleanType => false
    case _ => null
  }

  private def failure(expression: Expression, input: Seq[Attribute], row: InternalRow): Option[Throwable] =
    caught(bind(expression, input).eval(row))

  /** Code evaluates arguments in another order than the interpreter, and some that this one leaves out. */
  private def failureOfCode(expression: Expression, input: Seq[Attribute], row: InternalRow): Option[Throwable] =
    caught(UnsafeProjection.create(Seq(bind(expression, input))).apply(row)).collect {
      case e: Exception with SparkThrowable if !e.isInternalError => e
    }

  private def caught(evaluate: => Any): Option[Throwable] =
    try {
      evaluate
      None
    } catch { case NonFatal(e) => Some(e) }

  private def bind(expression: Expression, input: Seq[Attribute]): Expression = {
    val bound = BindReferences.bindReference(expression, AttributeSeq(input))
    bound.foreach {
      case e: Nondeterministic => e.initialize(0)
      case _ =>
    }
    bound
  }

  /** Returns what a node evaluates on an input row, in its order. */
  private def expressionsOf(node: SparkPlan): Seq[Expression] = node match {
    case p: FileSourceScanExec => p.partitionFilters // other filters are only hints to it
    case p: BaseAggregateExec => p.groupingExpressions ++ p.aggregateExpressions.flatMap(inputsOf)
    case p => p.expressions.map(withoutOrder).flatMap(splitConjunctivePredicates)
  }

  private def withoutOrder(expression: Expression): Expression = expression match {
    case order: SortOrder => order.child
    case e => e
  }

  private def inputsOf(aggregate: AggregateExpression): Seq[Expression] = aggregate.mode match {
    case Partial | Complete => aggregate.filter.toSeq ++ aggregate.aggregateFunction.children.map(withoutOrder)
    case _ => Nil
  }

  private def fromCondition(error: NativeError, plan: EncodedPlan): Throwable =
    plan.nodes.lift(error.expression) match {
      case Some(subquery: ExecScalarSubquery) => SparkInternals.secondRow(subquery)
      case _ if error.errorClass.startsWith("FAILED_READ_FILE") => tooLate(error)
      case node =>
        val context = node.map(_.origin.context: QueryContext).filter(_.summary.nonEmpty)
        try SparkInternals.exception(error.errorClass, parameters(error), context)
        catch { case _: SparkException => new SparkException(error.getMessage, error) } // not a condition of this Spark
    }
}
