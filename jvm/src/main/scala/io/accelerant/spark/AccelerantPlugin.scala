package io.accelerant.spark

import java.util.{Collections, Map => JavaMap}

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}
import org.apache.spark.internal.Logging

/** The one class a user names: `spark.plugins=io.accelerant.spark.AccelerantPlugin`. */
final class AccelerantPlugin extends SparkPlugin {
  override def driverPlugin(): DriverPlugin = new AccelerantDriver

  override def executorPlugin(): ExecutorPlugin = null
}

/** Adds the session extension and the explain provider before Spark reads them, and starts the engine. */
final class AccelerantDriver extends DriverPlugin with Logging {

  /** Throws IllegalArgumentException for an unknown or unreadable setting of ours. */
  override def init(context: SparkContext, pluginContext: PluginContext): JavaMap[String, String] = {
    val conf = pluginContext.conf()
    Settings.problem(conf).foreach(problem => throw new IllegalArgumentException(problem))
    append(conf, "spark.sql.extensions", classOf[NativeExtensions].getName)
    append(conf, "spark.sql.extendedExplainProviders", classOf[NativeExplain].getName)
    LocalMaster.cores(context.master) match {
      case Some(cores) => NativeLibrary.start(inOneProcess(conf), cores)
      case None => logWarning(s"Accelerant runs no query natively: ${LocalMaster.reason(context.master)}")
    }
    Collections.emptyMap()
  }

  override def shutdown(): Unit = NativeQuery.cancelAll()

  /** All is one process: tasks hand large results to the driver as they are, and say each second how far they are. */
  private def inOneProcess(conf: SparkConf): SparkConf = conf
    .setIfMissing("spark.executor.heartbeatInterval", "1s")
    .setIfMissing("spark.executor.heartbeat.maxFailures", "600") // of that many seconds, as by default
    .setIfMissing("spark.rpc.message.maxSize", "2047")
    .setIfMissing("spark.task.maxDirectResultSize", s"${Runtime.getRuntime.maxMemory / 16}b")

  private def append(conf: SparkConf, name: String, className: String): Unit = {
    val present = conf.get(name, "").split(",").map(_.trim).filter(_.nonEmpty)
    if (!present.contains(className)) conf.set(name, (present :+ className).mkString(","))
  }
}
