package io.accelerant.spark

import java.lang.management.ManagementFactory
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.{AtomicInteger, LongAdder}
import java.util.function.BooleanSupplier

import scala.collection.mutable

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction
import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{ArrayType, BinaryType, MapType, StringType, StructType}
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

/**
 * A call that the engine leaves to Spark's code: an expression, and what of it the engine computes, by their indices in the message.
 *
 * @param isOfRows whether the engine computes most rows itself
 */
final case class BridgedCall(expression: Int, arguments: Seq[Int], isOfRows: Boolean)

/** The calls of one run of a query. */
final class Bridge private (val calls: Seq[BridgedExpression], state: Bridge.State) {

  /**
   * Ends calls before their next row, and those that would begin: nobody reads the query's rows. Interrupts what a user's function waits for
   * only where it was cancelled: an interrupt closes channels that functions share.
   */
  def end(isCancelled: Boolean): Unit = state.end(isCancelled)

  /** Lets calls begin again. */
  def resume(): Unit = state.resume()

  /** Returns the exception that a call failed with, if it is still kept. */
  def failure(number: Int): Option[Throwable] = state.failure(number)
}

object Bridge {

  /** Whether Spark's code computes an expression from its children's values alone, the same ones for the same values. */
  def canCompute(expression: Expression): Boolean = expression match {
    case _: Unevaluable | _: PlanExpression[_] | _: AggregateFunction => false
    case _: BloomFilterMightContain => false // takes its filter from a subquery itself, not from a value
    case udf: ScalaUDF => udf.deterministic && !Closures.watchTasks(udf.function)
    case generator: UserDefinedGenerator => generator.deterministic && !Closures.watchTasks(generator.function)
    case generator: Generator => generator.deterministic && GeneratedRows.areOfRowsAlone(generator)
    case e => e.deterministic
  }

  /** Whether two nodes of a plan have the same index in its message. */
  private[spark] def isSame(node: TreeNode[_], other: TreeNode[_]): Boolean = (node eq other) || (node match {
    case a: AttributeReference => a == other
    case _ => false
  })

  /** Whether an expression may run code of users. */
  private[spark] def isOfUsers(expression: Expression): Boolean = expression match {
    case _: ScalaUDF | _: CallMethodViaReflection | _: ApplyFunctionExpression | _: UserDefinedGenerator => true
    case e => e.getClass.getPackageName != classOf[Literal].getPackageName
  }

  private[spark] def isNested(expression: Expression): Boolean = expression.dataType match {
    case _: ArrayType | _: MapType | _: StructType => true
    case _ => false
  }

  /** Readies the calls of a plan for a run. Throws RevertException where code holds what can't be copied, as no task could get it. */
  def open(judged: JudgedPlan, session: SparkSession): Bridge = {
    val state = new State(session.sessionState.conf, classLoader(session))
    val calls = judged.verdict.bridged.map { call =>
      try new BridgedExpression(call, judged.plan, state)
      catch {
        case e: java.io.NotSerializableException => throw new RevertException(s"a function that can't be copied: $e")
      }
    }
    new Bridge(calls, state)
  }

  /** Finds classes as the driver's thread does, then as the session's tasks do, which have jars that the session has added. */
  private def classLoader(session: SparkSession): ClassLoader = {
    val ofSession = SparkInternals.classLoader(session)
    new ClassLoader(Option(Thread.currentThread().getContextClassLoader).getOrElse(ofSession)) {
      override protected def findClass(name: String): Class[_] = ofSession.loadClass(name)
    }
  }

  /** What the calls of a run share. */
  private[spark] final class State(conf: SQLConf, val classLoader: ClassLoader) {
    private val settings = conf.clone()
    private val properties = conf.getAllConfs
    private val running = mutable.HashSet.empty[Thread]
    @volatile private var ends = 0
    @volatile private var isIdle = false
    private val failures = new ConcurrentHashMap[Int, Throwable]
    private val lastFailure = new AtomicInteger

    /** Has a thread of the engine's compute as a task's thread would. */
    def within[T](body: => T): T = {
      val thread = Thread.currentThread()
      val before = thread.getContextClassLoader
      thread.setContextClassLoader(classLoader)
      running.synchronized(running += thread)
      try SparkInternals.withinTask(properties)(SQLConf.withExistingConf(settings)(body))
      finally {
        running.synchronized {
          running -= thread
          Thread.interrupted() // an interrupt was for this call
        }
        thread.setContextClassLoader(before)
      }
    }

    /** Ends calls that run, and keeps others from beginning until {@link #resume}. */
    def end(isCancelled: Boolean): Unit = running.synchronized {
      ends += 1
      isIdle = true
      if (isCancelled) running.foreach(_.interrupt())
    }

    def resume(): Unit = isIdle = false

    /** Returns what says whether a call that begins now is to end: code that was interrupted may go on all the same. */
    def beginCall(): BooleanSupplier = {
      val before = ends
      () => isIdle || ends != before
    }

    /** Keeps an exception and returns its number. */
    def keep(thrown: Throwable): Int = {
      val number = lastFailure.incrementAndGet()
      failures.put(number, thrown)
      failures.remove(number - KeptFailures)
      number
    }

    def failure(number: Int): Option[Throwable] = Option(failures.get(number))
  }

  private[spark] val Threads = ManagementFactory.getThreadMXBean

  /** Older failures are of rows that did not count, most likely. */
  private val KeptFailures = 256
}

/** A bridged expression of one run: Spark's expression with arguments in the place of what the engine computes. */
final class BridgedExpression(call: BridgedCall, plan: EncodedPlan, state: Bridge.State) extends BridgedFunction {
  private val original = plan.nodes(call.expression) match {
    case generator: Generator => GeneratedRows(generator)
    case expression => expression.asInstanceOf[Expression]
  }
  private val arguments = call.arguments.map(plan.nodes(_).asInstanceOf[Expression])
  private val isBytes =
    Bridge.isNested(original) || original.dataType.isInstanceOf[StringType] || original.dataType == BinaryType
  private val code = BridgedCode.of(bound(original), SQLConf.get)

  /** Rows computed, and the nanoseconds of CPU that took, since the run began. */
  val computed, nanos = new LongAdder

  override def expression: Int = call.expression

  private def bound(node: Expression): Expression = arguments.indexWhere(Bridge.isSame(_, node)) match {
    case -1 => node.mapChildren(bound)
    case i => BoundReference(i, node.dataType, node.nullable)
  }

  private def newLoop(): BridgedLoop = {
    val loop = code.newLoop(state.classLoader)
    if (Bridge.isNested(original)) loop.writeNestedBy(UnsafeProjection.create(Array(original.dataType)))
    if (arguments.exists(Bridge.isNested))
      loop.readNestedBy(UnsafeProjection.create(arguments.map(_.dataType).toArray))
    loop
  }

  override def newWorker(): BridgedFunction.Worker = state.within {
    new BridgedFunction.Worker {
      private var loop = newLoop()
      private val columns = arguments.map(argument => new NativeColumnVector(argument.dataType)).toArray
      private val rows = new ColumnarBatch(columns.toArray[ColumnVector])
      private var failure = 0

      override def evaluate(batch: Long, numRows: Int, wanted: Long, values: Long, statuses: Long): Array[Byte] = {
        val start = Bridge.Threads.getCurrentThreadCpuTime
        val thrown = state.within {
          rows.setNumRows(NativeColumnVector.attachBatch(batch, columns))
          val isStopped = state.beginCall()
          loop.begin(isBytes, values, statuses)
          var failed = loop.run(rows, 0, wanted, isStopped)
          val first = loop.failure()
          while (failed < numRows) {
            val next = newLoop()
            next.goOnFor(loop)
            loop = next
            failed = loop.run(rows, failed + 1, wanted, isStopped)
          }
          first
        }
        failure = if (thrown == null) 0 else state.keep(thrown)
        computed.add(loop.numComputed())
        nanos.add(Bridge.Threads.getCurrentThreadCpuTime - start)
        if (isBytes) loop.bytes() else null
      }

      override def firstFailure(): Int = failure
    }
  }
}
