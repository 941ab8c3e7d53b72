package org.apache.spark.sql.execution.accelerant

import com.fasterxml.jackson.core.JsonFactory
import org.apache.hadoop.io.Text
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.json.{CreateJacksonParser, JSONOptionsInRead, JacksonParser}
import org.apache.spark.sql.catalyst.util.{CaseInsensitiveMap, FailureSafeParser, GenericArrayData}
import org.apache.spark.sql.execution.{FileSourceScanExec, ScalarSubquery => ExecScalarSubquery}
import org.apache.spark.sql.execution.datasources.{DataSourceStrategy, DataSourceUtils}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.{ArrayType, DataType, StructType}
import org.apache.spark.unsafe.types.UTF8String

/** The rows that Spark's reader of JSON files makes of a line. */
final case class JsonRows(
    child: Expression,
    schema: StructType,
    options: Map[String, String],
    corruptRecord: String,
    filters: Seq[Filter],
    timeZoneId: Option[String]
) extends UnaryExpression with TimeZoneAwareExpression with CodegenFallback {
  override def dataType: DataType = ArrayType(schema, containsNull = false)
  override def withTimeZone(id: String): TimeZoneAwareExpression = copy(timeZoneId = Some(id))
  override protected def withNewChildInternal(line: Expression): Expression = copy(child = line)

  @transient private lazy val parser = {
    val read = new JSONOptionsInRead(options, timeZoneId.get, corruptRecord)
    val own = StructType(schema.filterNot(_.name == read.columnNameOfCorruptRecord))
    val jackson = new JacksonParser(own, read, allowArrayAsStructs = true, filters)
    val open = read.encoding.map(name => CreateJacksonParser.text(name, _: JsonFactory, _: Text))
      .getOrElse(CreateJacksonParser.text(_: JsonFactory, _: Text))
    val rows = jackson.parse(_: Text, open, (line: Text) => UTF8String.fromBytes(line.copyBytes))
    new FailureSafeParser[Text](rows, read.parseMode, schema, read.columnNameOfCorruptRecord)
  }

  override def eval(row: InternalRow): Any = {
    val line = new Text(child.eval(row).asInstanceOf[UTF8String].getBytes)
    new GenericArrayData(parser.parse(line).map(_.copy()).toArray[Any])
  }
}

object JsonRows {

  /**
   * Whether a filter leaves the same lines when this parser does not apply it: with the value of a subquery, which only Spark's parser
   * gets, a filter that takes nulls may drop a line before what can't be read of it.
   */
  def isSafe(filter: Expression): Boolean = !filter.exists(_.isInstanceOf[ExecScalarSubquery]) ||
    !Seq(classOf[EqualNullSafe], classOf[Or], classOf[Not]).exists(_.isInstance(filter))

  /** Returns what parses the lines of a scan, filters that Spark gives its parser included. */
  def of(scan: FileSourceScanExec, line: Expression, options: Map[String, String], conf: SQLConf): JsonRows = {
    val filters = scan.dataFilters
      .filter(_.references.collectFirst { case FileSourceConstantMetadataAttribute(a) => a }.isEmpty)
      .flatMap(DataSourceStrategy.translateFilter(_, DataSourceUtils.supportNestedPredicatePushdown(scan.relation)))
    val zone = CaseInsensitiveMap(options).get("timeZone").orElse(Some(conf.sessionLocalTimeZone))
    JsonRows(line, scan.requiredSchema, options, conf.columnNameOfCorruptRecord, filters, zone)
  }
}
