package io.accelerant.spark

import org.apache.spark.sql.catalyst.expressions.{Literal, PlanExpression}
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.accelerant.SparkInternals
import org.apache.spark.sql.execution.datasources.{FilePartition, PartitionedFile}
import org.apache.spark.sql.types.{BooleanType, StructType}

/** The file partitions Spark chose for one scan of a plan message. */
final class ScanSplits(val node: Int, val partitions: Seq[FilePartition], scan: FileSourceScanExec) {
  val partitionSchema: StructType = scan.relation.partitionSchema
  private val metadata = NodeFields.constantMetadata(scan).map(_.name)
  private val extractors = scan.relation.fileFormat.fileConstantMetadataExtractors

  /** The metadata of a file that the scan emits, in its order. */
  def metadataOf(file: PartitionedFile): Seq[Literal] = metadata.map { name =>
    Literal(extractors.get(name).fold(file.otherConstantMetadataColumnValues.getOrElse(name, null))(_(file)))
  }
}

/** Writes splits messages. */
object SplitsEncoder {
  private val FormatVersion = 1

  /** Asks Spark for the splits of a plan's scans. Values that only running joins would give don't choose partitions. */
  def splits(plan: EncodedPlan): Seq[ScanSplits] = plan.plans.collect { case (index, scan: FileSourceScanExec) =>
    new ScanSplits(index, SparkInternals.filePartitions(static(scan)), scan)
  }

  private def static(scan: FileSourceScanExec): FileSourceScanExec =
    scan.transformExpressions {
      case e if e.dataType == BooleanType && e.exists(_.isInstanceOf[PlanExpression[_]]) => Literal.TrueLiteral
    }.asInstanceOf[FileSourceScanExec]

  def encode(scans: Seq[ScanSplits]): Array[Byte] = {
    val out = new MessageWriter
    out.raw("ACCS".getBytes)
    out.varint(FormatVersion)
    out.varint(scans.length)
    scans.foreach { scan =>
      out.varint(scan.node)
      out.varint(scan.partitions.length)
      scan.partitions.foreach { partition =>
        out.varint(partition.files.length)
        partition.files.foreach(write(out, _, scan))
      }
    }
    out.result()
  }

  private def write(out: MessageWriter, file: PartitionedFile, scan: ScanSplits): Unit = {
    val metadata = scan.metadataOf(file)
    out.text(file.urlEncodedPath)
    out.varint(file.start)
    out.varint(file.length)
    out.varint(file.fileSize)
    out.svarint(file.modificationTime)
    out.varint(scan.partitionSchema.length + metadata.length)
    scan.partitionSchema.fields.zipWithIndex.foreach { case (field, i) =>
      val value = if (file.partitionValues.isNullAt(i)) null else file.partitionValues.get(i, field.dataType)
      LiteralEncoder.write(out, value, field.dataType, refuse)
    }
    metadata.foreach(value => LiteralEncoder.write(out, value.value, value.dataType, refuse))
  }

  private def refuse(value: Any): Unit =
    throw new RevertException(s"partition values of ${value.getClass.getName} are not supported")
}
