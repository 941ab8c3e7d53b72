package io.accelerant.spark

import java.lang.reflect.Method
import java.time.LocalDate
import java.util.{Locale, TimeZone}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.catalyst.util.HyperLogLogPlusPlusHelper
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.accelerant.JsonRows
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.datasources.{TextBasedFileFormat, V1WritesUtils, WriteFilesExec}
import org.apache.spark.sql.execution.datasources.csv.CSVFileFormat
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, Metadata, StringType, StructField, StructType}

/** A value in Spark's internal form, to be written as a literal is. */
final case class InternalValue(value: Any, dataType: DataType)

/** What a node is made of: its constructor fields by name, and by hand for the classes listed in plan-message.md. */
object NodeFields {

  def of(node: TreeNode[_], conf: SQLConf): Seq[(String, Any)] = node match {
    case a: AttributeReference => Seq("name" -> a.name, "exprId" -> a.exprId, "metadata" -> json(a.metadata))
    case a: Alias =>
      Seq("child" -> a.child, "name" -> a.name, "exprId" -> a.exprId, "metadata" -> json(a.metadata))
    case l: Literal => Seq("value" -> InternalValue(l.value, l.dataType))
    case s: InSet => Seq("child" -> s.child, "hset" -> s.hset.toSeq.map(InternalValue(_, s.child.dataType)))
    case s: StaticInvoke =>
      Seq("method" -> s"${s.staticObject.getName.stripSuffix("$")}.${s.functionName}", "arguments" -> s.arguments)
    case s: FileSourceScanExec => fileScan(s, conf)
    case r: RangeExec =>
      Seq("start" -> r.start, "end" -> r.end, "step" -> r.step, "numSlices" -> r.numSlices.toLong, "output" -> r.output)
    case s: InMemoryTableScanExec =>
      Seq("serializer" -> s.relation.cacheBuilder.serializer.getClass.getName, "output" -> s.output)
    case a: DeclarativeAggregate if !a.isInstanceOf[WindowFunction] => // and how its division takes a zero
      val (fields, isMode) = (generic(a), (field: (String, Any)) => field._1.startsWith("eval"))
      def division = a.evaluateExpression.collectFirst { case d: Divide => generic(d) }.toSeq.flatten
      if (fields.exists(isMode)) fields else fields ++ division.filter(isMode)
    case p: PivotFirst =>
      val values = p.pivotColumnValues.map(InternalValue(_, p.pivotColumn.dataType))
      generic(p).filter(_._1 != "pivotColumnValues") :+ ("pivotColumnValues" -> values)
    case u: ScalaUDF =>
      Seq("children" -> u.children) // the rest is its code's, encoders of what it takes and gives, too
    case h: HyperLogLogPlusPlus => generic(h) ++ estimation(h)
    case w: WriteFilesExec => writeFiles(w, conf)
    case i: IslandExec => Seq("output" -> i.output)
    case s: LocalTableScanExec => Seq("stream" -> s.stream, "output" -> s.output)
    case p: SparkPlan =>
      val fields = generic(p)
      if (fields.exists(_._1 == "output")) fields else fields :+ ("output" -> p.output)
    case e => generic(e)
  }

  /** Returns whether a node is written as an opaque value, as the plans of all subqueries but scalar ones are. */
  def isOpaque(node: TreeNode[_]): Boolean = node match {
    case _: BaseSubqueryExec => true
    case _: SparkPlan | _: Expression => false
    case _ => true
  }

  private def generic(node: TreeNode[_]): Seq[(String, Any)] = {
    val fields = node.productElementNames.zip(node.productIterator).toSeq
    val hidden = otherCopyArgs.invoke(node).asInstanceOf[Seq[AnyRef]]
    if (hidden.isEmpty) fields else fields :+ ("otherCopyArgs" -> hidden)
  }

  /** Second parameter lists have no names; protected in Scala, public in the class file. */
  private val otherCopyArgs: Method = classOf[TreeNode[_]].getMethod("otherCopyArgs")

  /**
   * How many bits choose a register; and what Spark measured of estimates by so many: up to which one counting empty
   * registers is best, and pairs of a raw estimate and its bias.
   */
  private def estimation(function: HyperLogLogPlusPlus): Seq[(String, Any)] = {
    import HyperLogLogPlusPlusHelper._
    val bits = 31 - Integer.numberOfLeadingZeros(function.aggBufferAttributes.length * REGISTERS_PER_WORD - 1)
    val row = bits - 4
    val measured = THRESHOLDS.lift(row).toSeq.flatMap { threshold =>
      threshold +: RAW_ESTIMATE_DATA(row).toSeq.zip(BIAS_DATA(row)).flatMap(pair => Seq(pair._1, pair._2))
    }
    Seq("precision" -> bits, "corrections" -> measured)
  }

  /** Of buckets, also what Spark's writer computes. */
  private def writeFiles(write: WriteFilesExec, conf: SQLConf): Seq[(String, Any)] = {
    val folders = AttributeSet(write.partitionColumns)
    val columns = write.child.output.filterNot(folders.contains)
    val buckets = V1WritesUtils.getWriterBucketSpec(write.bucketSpec, columns, write.options)
    generic(write.copy(options = conf.redactOptions(write.options))) ++ Seq(
      "bucketId" -> buckets.map(_.bucketIdExpression),
      "bucketSort" -> V1WritesUtils.getBucketSortColumns(write.bucketSpec, columns)
    )
  }

  private def fileScan(scan: FileSourceScanExec, conf: SQLConf): Seq[(String, Any)] = {
    val options = scan.relation.options.map { case (k, v) => k.toLowerCase(Locale.ROOT) -> v } ++ others(scan)
    val known = Seq(
      "format" -> scan.relation.fileFormat.getClass.getName.stripSuffix("$"),
      "requiredSchema" -> scan.requiredSchema,
      "dataSchema" -> scan.relation.dataSchema,
      "partitionSchema" -> StructType(scan.relation.partitionSchema ++ constantMetadata(scan).map(field)),
      "output" -> scan.output,
      "partitionFilters" -> scan.partitionFilters,
      "dataFilters" -> scan.dataFilters,
      "options" -> conf.redactOptions(options),
      "bucketed" -> (scan.bucketedScan && conf.adaptiveExecutionEnabled), // whose rules come later, and may read all files instead
      "metadataColumns" -> scan.output.filter(isFileMetadata).diff(constantMetadata(scan)).map(_.name)
    )
    known ++ lineParser(scan, conf).map("lineParser" -> _) ++ generic(scan).filter { case (name, value) =>
      !fileScanFields(name) && !isUnset(value)
    }
  }

  /** Parses a line as the format does, for lines that the engine is not sure of. */
  private def lineParser(scan: FileSourceScanExec, conf: SQLConf): Option[Expression] = {
    val (files, options) = (scan.relation.dataSchema, conf.redactOptions(scan.relation.options))
    val zone = Some(conf.sessionLocalTimeZone)
    scan.relation.fileFormat match {
      case _ if files.exists(_.metadata.contains("EXISTS_DEFAULT")) => None
      case _: CSVFileFormat => Some(CsvToStructs(files, options, line, zone, Some(scan.requiredSchema)))
      case _: JsonFileFormat if scan.dataFilters.forall(JsonRows.isSafe) => Some(JsonRows.of(scan, line, options, conf))
      case _ => None
    }
  }

  private val line = AttributeReference("line", StringType, nullable = false)()

  /** What else changes how files are read: Hadoop's configuration; of ORC also Java's time zone, Spark's choice of a reader. */
  private def others(scan: FileSourceScanExec): Map[String, String] = scan.relation.fileFormat match {
    case _: TextBasedFileFormat =>
      scan.session.sessionState.newHadoopConf().getValByRegex("^mapreduce\\.input\\.linerecordreader\\.").asScala.toMap
    case _: OrcFileFormat =>
      val zone = TimeZone.getDefault
      scan.session.sessionState.newHadoopConf().getValByRegex("^(hive\\.exec\\.)?orc\\.").asScala.toMap ++ Map(
        "java.timezone" -> zone.getID,
        "java.timezone.2015" -> LocalDate.of(2015, 1, 1).atStartOfDay(zone.toZoneId).toEpochSecond.toString,
        "orc.vectorized" -> scan.supportsColumnar.toString
      )
    case _ => Map.empty
  }

  /** Columns of a scan that say the same of all rows of a piece of a file: they cross as its partition values do. */
  def constantMetadata(scan: FileSourceScanExec): Seq[Attribute] = scan.output.collect {
    case FileSourceConstantMetadataAttribute(attribute) => attribute
  }

  private def field(attribute: Attribute): StructField =
    StructField(attribute.name, attribute.dataType, attribute.nullable)

  /** Constructor fields of a file scan that the fields above stand for, or that do not change what is read. */
  private val fileScanFields = Set(
    "relation",
    "output",
    "requiredSchema",
    "partitionFilters",
    "dataFilters",
    "optionalBucketSet",
    "optionalNumCoalescedBuckets",
    "stream",
    "tableIdentifier",
    "disableBucketedScan"
  )

  private def isUnset(value: Any): Boolean = value match {
    case None | false => true
    case items: Iterable[_] => items.isEmpty
    case _ => false
  }

  private def isFileMetadata(attribute: Attribute): Boolean = attribute match {
    case FileSourceMetadataAttribute(_) => true
    case a => a.name.startsWith("_tmp_metadata_")
  }

  private def json(metadata: Metadata): String = if (metadata == Metadata.empty) null else metadata.json
}
