package io.accelerant.spark

import java.time.{DateTimeException, Instant}
import java.time.zone.{ZoneOffsetTransition, ZoneRules}
import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal, TimeZoneAwareExpression}
import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.execution.window.WindowExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.TimestampType
import org.apache.spark.unsafe.types.UTF8String

/** Writes the rules of time zones as plan-message.md says, as this JVM has them. */
object TimeZones {

  /** How long yearly rules are written out: one cycle of the calendar and some more. */
  private val SecondsOfRules = 402L * 366 * 86400

  private val known = new ConcurrentHashMap[String, Array[Byte]]

  /** Returns the time zone that an expression names: as its own, or as a text that some function may take for one. */
  def named(expression: Expression): Option[String] = expression match {
    case e: TimeZoneAwareExpression => e.timeZoneId.filter(rulesOf(_).isDefined)
    case Literal(text: UTF8String, _) => Some(text.toString).filter(rulesOf(_).isDefined)
    case _ => None
  }

  /** Returns the time zone in which frames of an operator add intervals to timestamps, which no expression of its names. */
  def ofFrames(plan: TreeNode[_], conf: SQLConf): Option[String] = plan match {
    case window: WindowExec if window.orderSpec.map(_.dataType) == Seq(TimestampType) =>
      Some(conf.sessionLocalTimeZone).filter(rulesOf(_).isDefined)
    case _ => None
  }

  /** Returns the encoded rules of a zone that {@link #named} gave, without its id. */
  def encoded(id: String): Array[Byte] = known.computeIfAbsent(id, id => encode(rulesOf(id).get))

  private def rulesOf(id: String): Option[ZoneRules] =
    try Some(DateTimeUtils.getZoneId(id).getRules)
    catch { case _: DateTimeException => None }

  private def encode(rules: ZoneRules): Array[Byte] = {
    val irregular = rules.getTransitions.asScala.toSeq
    val recurring = if (rules.getTransitionRules.isEmpty) Nil else after(irregular.lastOption, rules)
    val out = new MessageWriter
    out.svarint(rules.getOffset(Instant.MIN).getTotalSeconds)
    out.varint(irregular.length)
    out.varint(recurring.length)
    (irregular ++ recurring).foldLeft(0L) { (previous, transition) =>
      out.svarint(transition.toEpochSecond - previous)
      out.svarint(transition.getOffsetAfter.getTotalSeconds)
      transition.toEpochSecond
    }
    out.result()
  }

  private def after(last: Option[ZoneOffsetTransition], rules: ZoneRules): Seq[ZoneOffsetTransition] = {
    val first = rules.nextTransition(last.fold(Instant.EPOCH)(_.getInstant))
    val end = first.toEpochSecond + SecondsOfRules
    Iterator.iterate(first)(transition => rules.nextTransition(transition.getInstant)).takeWhile(
      _.toEpochSecond < end
    ).toSeq
  }
}
