package io.accelerant.spark

import java.util.IdentityHashMap

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer
import scala.util.control.NonFatal

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, ExprId, Expression}
import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.execution.{ScalarSubquery, SparkPlan}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

/**
 * A plan message and the nodes it holds.
 *
 * @param bytes the message
 * @param nodes plan nodes and expressions by their index in the message
 */
final class EncodedPlan(val bytes: Array[Byte], val nodes: IndexedSeq[TreeNode[_]]) {

  /** Plan nodes with their index. */
  def plans: Seq[(Int, SparkPlan)] = nodes.indices.collect {
    case i if nodes(i).isInstanceOf[SparkPlan] => i -> nodes(i).asInstanceOf[SparkPlan]
  }
}

/** Writes physical plans as plan messages, by class and field names; it knows no function and judges nothing. */
object PlanEncoder {
  private val FormatVersion = 3

  /** Products nested deeper inside one field than this are opaque: an end for objects that refer to themselves. */
  private val MaxDepth = 12

  /** Encodes a plan with the settings of a session. Reads the plan only; may be called from any thread. */
  def encode(plan: SparkPlan, conf: SQLConf): EncodedPlan = {
    val encoder = new PlanEncoder(conf)
    val settings = encoder.settings()
    val root = encoder.add(plan)
    val zones = encoder.zones()
    val out = new MessageWriter
    out.raw("ACCP".getBytes)
    out.varint(FormatVersion)
    out.text(SPARK_VERSION)
    encoder.strings.write(out)
    out.raw(settings)
    out.raw(zones)
    out.varint(encoder.nodes.length)
    out.raw(encoder.body)
    out.varint(root)
    new EncodedPlan(out.result(), encoder.nodes.toIndexedSeq)
  }
}

/** Texts of a message in the order of their first use. */
private final class StringTable {
  private val indexes = mutable.LinkedHashMap.empty[String, Int]

  def index(text: String): Int = indexes.getOrElseUpdate(text, indexes.size)

  def write(out: MessageWriter): Unit = out.texts(indexes.keys)
}

/** Values written as a list: options, sequences, sets and arrays, but for maps and bytes. */
private object Containers {
  def unapply(value: Any): Option[Iterable[_]] = value match {
    case _: scala.collection.Map[_, _] | _: Array[Byte] => None
    case v: Option[_] => Some(v.toList)
    case v: Iterable[_] => Some(v)
    case v: Array[_] => Some(v.toSeq)
    case _ => None
  }
}

/** Finds the enumeration a Scala enumeration's value belongs to, which the value itself does not tell. */
private object EnumerationName {
  private val outer = classOf[Enumeration#Value].getMethod("scala$Enumeration$$outerEnum")

  def of(value: Enumeration#Value): String = outer.invoke(value).getClass.getName.stripSuffix("$")
}

private final class PlanEncoder(conf: SQLConf) {
  val strings = new StringTable
  val nodes = ArrayBuffer.empty[TreeNode[_]]
  val body = new MessageWriter

  private val bridges = Settings.bridge(conf)
  private val subqueries = new EqualPlans
  private val indexes = new IdentityHashMap[TreeNode[_], Integer]
  private val zoneIds = mutable.LinkedHashSet.empty[String]
  private val attributes = mutable.HashMap.empty[AttributeReference, Int]

  private final class Pending(val node: TreeNode[_]) {
    lazy val fields: Seq[(String, Any)] = node match {
      case s: ScalarSubquery => Seq("plan" -> subqueries.first(Subqueries.planOf(s, conf)), "exprId" -> s.exprId)
      case n => NodeFields.of(n, conf)
    }
    var visited = false
  }

  /** Writes a node and whatever it refers to, children first, and returns its index; its own stack allows any depth. */
  def add(root: TreeNode[_]): Int = {
    val stack = mutable.Stack(new Pending(root))
    while (stack.nonEmpty) {
      val top = stack.top
      if (top.visited || indexOf(top.node) >= 0) {
        stack.pop()
        if (indexOf(top.node) < 0) writeNode(top)
      } else {
        top.visited = true
        val children = ArrayBuffer.empty[TreeNode[_]]
        top.fields.foreach { case (_, value) => foreachNode(value, 0)(children += _) }
        children.reverseIterator.filter(indexOf(_) < 0).foreach(child => stack.push(new Pending(child)))
      }
    }
    indexOf(root)
  }

  def settings(): MessageWriter = {
    val out = new MessageWriter
    val chosen = SessionSettings.ofQuery(conf)
    out.varint(chosen.length)
    chosen.foreach { case (name, value) =>
      out.varint(strings.index(name))
      out.varint(strings.index(value))
    }
    out
  }

  /** Writes the time zones that the nodes added so far name. */
  def zones(): MessageWriter = {
    val out = new MessageWriter
    out.varint(zoneIds.size)
    zoneIds.foreach { id =>
      out.varint(strings.index(id))
      out.raw(TimeZones.encoded(id))
    }
    out
  }

  private def indexOf(node: TreeNode[_]): Int = {
    val known = indexes.get(node)
    if (known != null) known
    else
      node match {
        case a: AttributeReference => attributes.getOrElse(a, -1)
        case _ => -1
      }
  }

  private def bridgeFlags(e: Expression): Int = 2 | (if (Bridge.isOfUsers(e)) 4 else 0)

  private def writeNode(pending: Pending): Unit = {
    val node = pending.node
    node match {
      case e: Expression =>
        zoneIds ++= TimeZones.named(e)
        body.u8(2)
        str(e.getClass.getName)
        writeType(e)
        body.u8((if (nullable(e)) 1 else 0) | (if (isBridgeable(e)) bridgeFlags(e) else 0))
      case p =>
        zoneIds ++= TimeZones.ofFrames(p, conf)
        body.u8(1)
        str(p.getClass.getName)
    }
    writeFields(pending.fields)
    register(node)
  }

  private def register(node: TreeNode[_]): Unit = {
    indexes.put(node, nodes.length)
    node match {
      case a: AttributeReference => attributes.put(a, nodes.length)
      case _ =>
    }
    nodes += node
  }

  private def writeType(expression: Expression): Unit = {
    val dataType =
      try expression.dataType
      catch { case NonFatal(_) => null } // some expressions, such as window specifications, have none
    if (dataType == null) body.u8(0) else TypeEncoder.write(body, dataType, str)
  }

  private def isBridgeable(expression: Expression): Boolean =
    bridges && (try Bridge.canCompute(expression)
    catch { case NonFatal(_) => false })

  private def nullable(expression: Expression): Boolean =
    try expression.nullable
    catch { case NonFatal(_) => true }

  private def writeFields(fields: Seq[(String, Any)], depth: Int = 0): Unit = {
    body.varint(fields.length)
    fields.foreach { case (name, value) =>
      str(name)
      writeValue(value, depth)
    }
  }

  private def writeValue(value: Any, depth: Int): Unit = value match {
    case v: String =>
      body.u8(Tag.Text)
      str(v)
    case v: Char => writeValue(v.toString, depth)
    case v: DataType =>
      body.u8(Tag.Type)
      TypeEncoder.write(body, v, str)
    case v: TreeNode[_] if NodeFields.isOpaque(v) => opaque(v)
    case v: TreeNode[_] =>
      body.u8(Tag.Reference)
      body.varint(indexOf(v))
    case v: ExprId => writeValue(v.id, depth)
    case v: InternalValue => LiteralEncoder.write(body, v.value, v.dataType, opaque)
    case Containers(items) => writeSequence(items, depth)
    case v: scala.collection.Map[_, _] => writeMap(v, depth)
    case v: java.lang.Enum[_] => writeEnumeration(v.getDeclaringClass.getName, v.name)
    case v: Enumeration#Value => writeEnumeration(EnumerationName.of(v), v.toString)
    case v: Product if depth < PlanEncoder.MaxDepth => writeProduct(v, depth)
    case v => LiteralEncoder.write(body, v, null, opaque)
  }

  private def writeSequence(items: Iterable[_], depth: Int): Unit = {
    body.u8(Tag.Sequence)
    body.varint(items.size)
    items.foreach(writeValue(_, depth + 1))
  }

  private def writeMap(entries: scala.collection.Map[_, _], depth: Int): Unit = {
    body.u8(Tag.Mapping)
    body.varint(entries.size)
    entries.foreach { case (key, item) =>
      writeValue(key, depth + 1)
      writeValue(item, depth + 1)
    }
  }

  private def writeEnumeration(className: String, name: String): Unit = {
    body.u8(Tag.Product)
    str(className)
    writeFields(Seq("name" -> name))
  }

  private def writeProduct(product: Product, depth: Int): Unit = {
    body.u8(Tag.Product)
    str(product.getClass.getName.stripSuffix("$"))
    writeFields(product.productElementNames.zip(product.productIterator).toSeq, depth + 1)
  }

  private def opaque(value: Any): Unit = {
    body.u8(Tag.Opaque)
    str(value.getClass.getName)
  }

  private def str(text: String): Unit = body.varint(strings.index(text))

  /** Visits the nodes that {@link #writeValue} would refer to. */
  private def foreachNode(value: Any, depth: Int)(visit: TreeNode[_] => Unit): Unit = value match {
    case v: TreeNode[_] => if (!NodeFields.isOpaque(v)) visit(v)
    case _: DataType | _: ExprId | _: InternalValue => ()
    case Containers(items) => items.foreach(foreachNode(_, depth + 1)(visit))
    case v: scala.collection.Map[_, _] =>
      v.foreach { case (key, item) =>
        foreachNode(key, depth + 1)(visit)
        foreachNode(item, depth + 1)(visit)
      }
    case v: Product if depth < PlanEncoder.MaxDepth => v.productIterator.foreach(foreachNode(_, depth + 1)(visit))
    case _ => ()
  }
}
