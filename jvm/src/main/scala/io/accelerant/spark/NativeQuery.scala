package io.accelerant.spark

import java.lang.ref.{Cleaner, WeakReference}
import java.util.concurrent.{ConcurrentHashMap, Executors, ScheduledExecutorService, ScheduledFuture, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.accelerant.SparkInternals

/**
 * A query of the engine. Tasks find it by its id, as they run in the driver's process, while the driver has the RDD or a stream is open.
 * Any thread may call it; the engine's query is freed when it is closed and nobody uses it any more, or nothing refers to it.
 *
 * It is also freed, to be opened again when needed, when nobody has read from it for a while: an RDD may stay long after its last use,
 * as that of a DataFrame that a program keeps.
 */
final class NativeQuery private (
    val judged: JudgedPlan,
    val bridge: Bridge,
    val islands: Seq[IslandRows],
    caches: Seq[CachedTable],
    openEngine: () => Long
) {
  val id: Long = NativeQuery.nextId.incrementAndGet()

  /** What the task that reads the whole result has come to: others compute rows for it as long as it reads. */
  @volatile var reading: Reading.Value = Reading.Awaited

  /** Whether rows of islands have been computed, all or some. */
  @volatile var hasReadIslands = false

  /** Why a task could not hand over rows of an island; who waits for them only hears that they do not come. */
  @volatile var feedFailure: Option[Preparation.Failed] = None

  private val handle = new AtomicLong(openEngine()) // 0: freed
  private var parts = 0 // that were prepared
  private val begun = mutable.BitSet.empty // parts that tasks have read from since
  private var users = 0
  private var uses = 0L // begun so far
  private var closed = false
  private val reported = new Array[Long](judged.plan.nodes.length * Native.METRICS_PER_NODE)

  NativeQuery.open.put(id, new WeakReference(this))
  NativeQuery.afterwards(this, NativeQuery.ending(id, handle))

  /** Returns how many partitions the result can be divided into when this many are wanted. */
  def partitions(wanted: Int): Int = use(Native.partitions(handle.get, wanted))

  /** Begins what comes before the first row of so many parts, and waits a while for it. To be called within {@link #use}. */
  def prepare(count: Int, timeoutMillis: Long): Preparation = {
    synchronized {
      parts = count
      begun.clear()
    }
    try if (Native.prepare(handle.get, count, timeoutMillis)) Preparation.Done else Preparation.Pending
    catch {
      case e: NativeError =>
        SparkErrors.release(e)
        // Other errors come again in the tasks that read.
        if (SparkErrors.leavesToSpark(e)) Preparation.Failed(e)
        else Preparation.Done
    }
  }

  /**
   * Opens a stream for a task; to be closed by {@link #closeStream}, until then the query stays. Where Spark has dropped parts of a cache
   * since an earlier job, the tasks that open streams compute them again first.
   */
  def openStream(index: Int, count: Int, context: TaskContext): Long = {
    SparkInternals.forgetJobs(context)
    acquire(caches.foreach(_.recompute(context)))
    synchronized(begun += index)
    NativeQuery.undoing(release())(Native.openStream(handle.get, index, count))
  }

  /** Claims a partition of an island that is waited for; see {@link Native#claim}. To be called while a stream is open. */
  def claim(index: Int, count: Int): Option[IslandClaim] =
    Option(Native.claim(handle.get, index, count)).map(claim => IslandClaim(claim(0), claim(1).toInt, claim(2).toInt))

  /** Waits until there may be more to claim than after so many rings; returns how many there were. */
  def awaitBell(rings: Long, timeoutMillis: Long): Long = Native.awaitBell(handle.get, rings, timeoutMillis)

  /** Creates a file for rows of this query; see {@link Native#openWriter}. */
  def openWriter(message: Array[Byte], uri: String): Long = use(Native.openWriter(handle.get, message, uri))

  /** Frees a stream, calls `last` while the query is still there, and gives up the stream's hold on the query. */
  def closeStream(stream: Long, isCancelled: Boolean)(last: => Unit): Unit =
    try {
      Native.closeStream(stream)
      last
    } finally {
      release(isCancelled)
      Notices.logTaken()
    }

  /** Returns by how much the engine's counters grew since the last call, in the layout of {@link Native#metrics}. */
  def newMetrics(): Array[Long] = synchronized {
    val now = Native.metrics(handle.get)
    now.indices.foreach { i =>
      val before = if (i < reported.length) reported(i) else 0L
      val grown = if (NativeMetrics.isMaximum(i)) math.max(now(i), before) else now(i)
      if (i < reported.length) reported(i) = grown
      now(i) = grown - before
    }
    now
  }

  /** Returns how far the query is while somebody reads from it. */
  def progress: Option[QueryProgress] = synchronized {
    Option.when(users > 0 && handle.get != 0)(NativeMetrics.progress(judged.plan, Native.metrics(handle.get)))
  }

  /** Ends the query: running streams are cancelled, and it is freed when they are closed. */
  def close(): Unit = {
    val running = synchronized {
      val first = !closed
      closed = true
      if (first && users > 0) users += 1 // keeps the handle while it is cancelled
      else if (first) free()
      first && users > 0
    }
    if (running)
      try {
        if (handle.get != 0) Native.cancel(handle.get)
        bridge.end(isCancelled = true)
      } finally release()
  }

  /** Frees the engine's query when nobody has used it since. */
  private def rest(since: Long): Unit = synchronized(if (users == 0 && uses == since) free())

  /** Whether it has read what is not to be read again while a consumer has parts to come to. */
  private def isOnce: Boolean = hasReadIslands && begun.size < parts && varies

  private lazy val varies = judged.plan.plans.exists {
    case (_, island: IslandExec) => Rereading.varies(island.original)
    case _ => false
  }

  /** Frees what is only kept to be read again. */
  private def makeRoom(): Unit = synchronized(if (users == 0 && begun.nonEmpty && !isOnce) free())

  private def restLater(): Unit = {
    val seconds =
      if (parts == 0) NativeQuery.RestAfterSeconds
      else if (begun.isEmpty) NativeQuery.AwaitedSeconds
      else if (isOnce) NativeQuery.OnceSeconds
      else NativeQuery.KeptSeconds
    NativeQuery.later(new WeakReference(this), uses, seconds)
  }

  /** Keeps the engine's query during an action. */
  def use[T](body: => T): T = {
    acquire()
    try body
    finally release()
  }

  /** Keeps the engine's query until {@link #release}; calls `before`, which may take long, before that is opened again. */
  private def acquire(before: => Unit = ()): Unit = {
    synchronized {
      checkOpen()
      if (users == 0) bridge.resume()
      users += 1
      uses += 1
    }
    NativeQuery.undoing(release()) {
      before
      openAgain()
    }
  }

  private def openAgain(): Unit = synchronized {
    checkOpen()
    if (handle.get == 0) {
      handle.set(openEngine())
      reported.indices.filterNot(NativeMetrics.isSaidOnce).foreach(reported(_) = 0L)
      if (parts > 0) prepare(parts, 0)
    }
  }

  private def checkOpen(): Unit = if (closed) throw new IllegalStateException("the native query has ended")

  private def release(isCancelled: Boolean = false): Unit = synchronized {
    users -= 1
    if (users == 0) bridge.end(isCancelled)
    if (users == 0) if (closed) free() else restLater()
  }

  private def free(): Unit = {
    if (closed) NativeQuery.open.remove(id)
    NativeQuery.close(handle)
    caches.foreach(_.forget())
    Notices.logTaken()
  }
}

/** How far a task is that reads a whole result. */
object Reading extends Enumeration {
  val Awaited, Begun, Ended = Value
}

/** A partition that a task has taken on to compute, for the node of a plan message that reads it. */
final case class IslandClaim(handle: Long, node: Int, partition: Int)

object NativeQuery {
  private val RestAfterSeconds = 1L

  /** What was prepared may be read again soon, as by the next job of a consumer that has several, until another query wants the memory. */
  private val KeptSeconds = 5L

  /** What was prepared waits longer for its first reader, such as a task that has other things to do first. */
  private val AwaitedSeconds = 30L

  /** Other rows may come out where it runs again: a consumer that pauses would miss some and get some twice. */
  private val OnceSeconds = 600L

  private val nextId = new AtomicLong
  private val open = new ConcurrentHashMap[Long, WeakReference[NativeQuery]]
  private val cleaner = Cleaner.create()

  private lazy val timer: ScheduledExecutorService = Executors.newSingleThreadScheduledExecutor { task =>
    val thread = new Thread(task, "accelerant-rest")
    thread.setDaemon(true)
    thread
  }

  /** Opens a query in the engine. Throws NativeError of kind UNSUPPORTED when its files need Spark. */
  def open(
      judged: JudgedPlan,
      splits: Array[Byte],
      tables: Seq[ExternalTable],
      bridge: Bridge,
      islands: Seq[IslandRows],
      options: String
  ): NativeQuery = {
    all.foreach(_.makeRoom())
    val functions = bridge.calls.toArray[BridgedFunction]
    val sizes = islands.flatMap(i => Seq(i.node.toLong, i.rows.getNumPartitions.toLong, i.estimate)).toArray
    new NativeQuery(
      judged,
      bridge,
      islands,
      tables.collect { case cache: CachedTable => cache },
      () => judged.prepared.use(Native.openQuery(_, splits, tables.toArray, functions, sizes, options))
    )
  }

  def byId(id: Long): NativeQuery =
    Option(open.get(id)).flatMap(query => Option(query.get))
      .getOrElse(throw new IllegalStateException("the native query has ended"))

  private def all: Iterator[NativeQuery] = open.values.iterator.asScala.flatMap(query => Option(query.get))

  private def close(handle: AtomicLong): Unit = if (handle.get != 0) Native.closeQuery(handle.getAndSet(0))

  /** Returns what ends a query that nothing refers to any more, and so does not refer to it either. */
  private def ending(id: Long, handle: AtomicLong): Runnable = () => {
    open.remove(id)
    close(handle)
  }

  /** Does something; undoes what was done before where it fails. */
  def undoing[T](undo: => Unit)(body: => T): T =
    try body
    catch {
      case e: Throwable =>
        undo
        throw e
    }

  /** Runs an action, which must not refer to the owner, when nothing else does any more. */
  def afterwards(owner: AnyRef, action: Runnable): Unit = cleaner.register(owner, action)

  /** Closes all queries of the application. */
  def cancelAll(): Unit = all.foreach(_.close())

  /** Does something again and again; it must not take long. */
  def every(millis: Long, task: Runnable): ScheduledFuture[_] =
    timer.scheduleAtFixedRate(task, millis, millis, TimeUnit.MILLISECONDS)

  private def later(query: WeakReference[NativeQuery], since: Long, seconds: Long): Unit =
    timer.schedule((() => Option(query.get).foreach(_.rest(since))): Runnable, seconds, TimeUnit.SECONDS)
}
