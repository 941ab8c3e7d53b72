package io.accelerant.spark

import java.io.PrintStream
import java.util.concurrent.{ScheduledFuture, TimeUnit}

import scala.collection.mutable

/**
 * A line on the terminal for native queries that take long, beside Spark's own of tasks: a native query has but one or a few of these. It
 * is drawn where Spark's would be, and erased when the query ends.
 */
private[spark] final class ConsoleProgress(console: PrintStream, width: Int) {
  import ConsoleProgress._

  /** When each query began, in nanoseconds, and how many of its streams are open. */
  private val running = mutable.LinkedHashMap.empty[NativeQuery, (Long, Int)]
  private var drawn = ""
  private var timer: Option[ScheduledFuture[_]] = None

  /** Notes that a stream of a query has begun. */
  def begin(query: NativeQuery): Unit = synchronized {
    val (since, streams) = running.getOrElse(query, System.nanoTime() -> 0)
    running(query) = since -> (streams + 1)
    if (timer.isEmpty) timer = Some(NativeQuery.every(PeriodMillis, () => draw()))
  }

  /** Notes that a stream of a query has ended. */
  def end(query: NativeQuery): Unit = synchronized {
    running.get(query).foreach {
      case (since, streams) if streams > 1 => running(query) = since -> (streams - 1)
      case _ => running.remove(query)
    }
    if (!running.exists { case (_, (since, _)) => isLong(since) }) erase()
    if (running.isEmpty) {
      timer.foreach(_.cancel(false))
      timer = None
    }
  }

  private def draw(): Unit = synchronized {
    val lines = running.collect { case (query, (since, _)) if isLong(since) => query.progress.map(text(query.id, _)) }
    val line = lines.flatten.mkString(" ").take(width)
    if (line.nonEmpty && line != drawn) {
      console.print("\r" + line.padTo(width, ' ') + "\r")
      console.flush()
      drawn = line
    }
  }

  private def isLong(since: Long): Boolean = System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(FirstMillis)

  private def erase(): Unit = if (drawn.nonEmpty) {
    console.print("\r" + " " * width + "\r")
    console.flush()
    drawn = ""
  }
}

private[spark] object ConsoleProgress {
  private val FirstMillis = 2000L
  private val PeriodMillis = 200L
  private val DefaultWidth = 80

  /** Of this process's terminal; as wide as Spark takes it to be. */
  lazy val OfProcess: ConsoleProgress =
    new ConsoleProgress(System.err, sys.env.get("COLUMNS").flatMap(_.toIntOption).getOrElse(DefaultWidth))

  /** Says how far a query is, of sources that are no files as well as the planner's estimate allows. */
  private def text(id: Long, progress: QueryProgress): String = {
    import progress._
    val parts = Option.when(morsels > 0)(f"$morselsDone%,d of $morsels%,d parts of files done")
    val of = if (rows <= estimatedRows) f" of about $estimatedRows%,d" else ""
    val others = Option.when(morsels == 0 || rows > 0)(f"$rows%,d$of rows taken in")
    s"[native query $id: ${(parts ++ others).mkString(", ")}]"
  }
}

/**
 * What a query's sources have read: of files, morsels done of all; of others, rows that they emitted, and how many
 * the planner estimates that they have.
 */
private[spark] final case class QueryProgress(morselsDone: Long, morsels: Long, rows: Long, estimatedRows: Long)
