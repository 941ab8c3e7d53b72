package io.accelerant.spark

import java.io.{ObjectOutputStream, OutputStream}
import java.lang.invoke.SerializedLambda
import java.nio.charset.StandardCharsets.ISO_8859_1

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.util.AccumulatorV2

/** Looks into functions of users for what only works in a task of Spark's. */
object Closures {
  private val Watched = Seq("org/apache/spark/TaskContext", "org/apache/spark/BarrierTaskContext")
  private val OwnPackages = Seq("java.", "javax.", "scala.", "org.apache.spark.")

  /** Whether functions of users in an operator name their task: its partition's number, say, which is another one in an island. */
  def askForTask(operator: SparkPlan): Boolean =
    functionsOf(operator).exists(watch(_, ofAccumulators = false)) ||
      members(operator).flatMap(SparkInternals.pickled).exists(new String(_, ISO_8859_1).contains("TaskContext"))

  /** Returns the functions of Scala and Java that an operator and its expressions hold. */
  def functionsOf(operator: SparkPlan): Seq[AnyRef] = members(operator).collect {
    case function @ (_: Function1[_, _] | _: Function2[_, _, _]) if !function.isInstanceOf[Iterable[_]] =>
      function.asInstanceOf[AnyRef]
  }

  private def members(operator: SparkPlan): Seq[Any] = {
    val holders: Seq[TreeNode[_]] = operator +: operator.expressions.flatMap(_.collect { case e => e })
    holders.flatMap(_.productIterator)
  }

  /** Whether a function may look at its task, or add to an accumulator: then its operator is Spark's. */
  def watchTasks(function: AnyRef): Boolean = watch(function, ofAccumulators = true)

  private def watch(function: AnyRef, ofAccumulators: Boolean): Boolean = {
    val loader = Option(function.getClass.getClassLoader).getOrElse(Thread.currentThread().getContextClassLoader)
    var found = namesTask(function.getClass.getName, loader)
    val visitor = new ObjectOutputStream(OutputStream.nullOutputStream()) {
      enableReplaceObject(true)
      override def replaceObject(item: AnyRef): AnyRef = {
        found ||= (if (item.isInstanceOf[AccumulatorV2[_, _]]) ofAccumulators else watches(item))
        if (item.isInstanceOf[AccumulatorV2[_, _]]) null else item
      }
    }
    try visitor.writeObject(function)
    catch { case NonFatal(_) => } // what can't be copied is found out later
    found
  }

  private def watches(item: AnyRef): Boolean = item match {
    case lambda: SerializedLambda =>
      namesTask(lambda.getImplClass.replace('/', '.'), Thread.currentThread().getContextClassLoader)
    case other => namesTask(other.getClass.getName, other.getClass.getClassLoader)
  }

  /** Whether a class of users, which is the one that holds its lambdas' code, names a task's context. */
  private def namesTask(className: String, loader: ClassLoader): Boolean =
    loader != null && !OwnPackages.exists(className.startsWith) && {
      val resource = className.takeWhile(_ != '/').split("\\$\\$Lambda").head.replace('.', '/') + ".class"
      Option(loader.getResourceAsStream(resource)).exists { stream =>
        val text =
          try new String(stream.readAllBytes(), ISO_8859_1)
          finally stream.close()
        Watched.exists(text.contains)
      }
    }
}
