package io.accelerant.spark

import java.io.{ObjectOutputStream, OutputStream}
import java.lang.invoke.SerializedLambda
import java.nio.charset.StandardCharsets.ISO_8859_1

import scala.util.control.NonFatal

import org.apache.spark.util.AccumulatorV2

/** Looks into functions of users for what only works in a task of Spark's. */
object Closures {
  private val Watched = Seq("org/apache/spark/TaskContext", "org/apache/spark/BarrierTaskContext")
  private val OwnPackages = Seq("java.", "javax.", "scala.", "org.apache.spark.")

  /** Whether a function may look at its task, or add to an accumulator: then its operator is Spark's. */
  def watchTasks(function: AnyRef): Boolean = {
    val loader = Option(function.getClass.getClassLoader).getOrElse(Thread.currentThread().getContextClassLoader)
    var found = namesTask(function.getClass.getName, loader)
    val visitor = new ObjectOutputStream(OutputStream.nullOutputStream()) {
      enableReplaceObject(true)
      override def replaceObject(item: AnyRef): AnyRef = {
        found ||= watches(item)
        if (item.isInstanceOf[AccumulatorV2[_, _]]) null else item
      }
    }
    try visitor.writeObject(function)
    catch { case NonFatal(_) => } // what can't be copied is found out later
    found
  }

  private def watches(item: AnyRef): Boolean = item match {
    case _: AccumulatorV2[_, _] => true
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
