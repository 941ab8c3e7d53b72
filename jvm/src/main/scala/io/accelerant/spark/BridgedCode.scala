package io.accelerant.spark

import scala.util.control.NonFatal

import org.apache.spark.SparkEnv
import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.codegen.{CodeAndComment, CodeFormatter, CodeGenerator, CodegenContext}
import org.apache.spark.sql.catalyst.expressions.codegen.GeneratedClass
import org.apache.spark.sql.catalyst.util.{ArrayData, MapData}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import java.nio.ByteBuffer

/**
 * How an expression is computed: compiled once, on the driver's thread; each worker gets a copy of what the code refers to, made as a task
 * gets one, since functions of users and Spark's own may keep state.
 */
private sealed trait BridgedCode {

  /** Returns code with copies of its own. Any thread. */
  def newLoop(classLoader: ClassLoader): BridgedLoop
}

private object BridgedCode extends Logging {

  /**
   * Returns the code of an expression whose inputs are bound. Throws NotSerializableException when it holds what can't be copied, and
   * RevertException when Spark has no code for it, as for a pattern that no formatter takes: a stage of Spark's fails by that before rows.
   */
  def of(expression: Expression, conf: SQLConf): BridgedCode =
    if (conf.getConf(SQLConf.CODEGEN_FACTORY_MODE).toString == "NO_CODEGEN") new InterpretedCode(copyable(expression))
    else
      try compiled(expression, conf)
      catch {
        case NonFatal(e) if !e.isInstanceOf[java.io.NotSerializableException] && !e.isInstanceOf[RevertException] =>
          logWarning(s"Accelerant interprets $expression, its code can't be compiled: $e")
          new InterpretedCode(copyable(expression))
      }

  private def compiled(expression: Expression, conf: SQLConf): BridgedCode = {
    val context = new CodegenContext
    val value =
      try context.generateExpressions(Seq(expression), conf.subexpressionEliminationEnabled).head
      catch { case NonFatal(e) => throw new RevertException(s"an expression that Spark has no code for: $e") }
    val shared = context.subexprFunctionsCode
    val body =
      s"""
         |public Object generate(Object[] references) { return new SpecificBridgedLoop(references); }
         |
         |final class SpecificBridgedLoop extends ${classOf[BridgedLoop].getName} {
         |  private Object[] references;
         |  ${context.declareMutableStates()}
         |
         |  public SpecificBridgedLoop(Object[] references) {
         |    this.references = references;
         |    ${context.initMutableStates()}
         |  }
         |
         |  public void compute(InternalRow ${context.INPUT_ROW}, int index) {
         |    $shared
         |    ${value.code}
         |    if (${value.isNull}) { putNull(index); } else { ${put(expression.dataType, value.value.toString)} }
         |  }
         |
         |  ${context.declareAddedFunctions()}
         |  ${context.emitExtraCode()}
         |}
       """.stripMargin
    val code = CodeFormatter.stripOverlappingComments(new CodeAndComment(body, context.getPlaceHolderToComments()))
    val (generated, _) = CodeGenerator.compile(code)
    new CompiledCode(generated, copyable(context.references.toArray[Any]))
  }

  /** Returns the statement that writes a value of a type; its name is a method's of BridgedLoop. */
  private def put(dataType: DataType, value: String): String = dataType match {
    case NullType => "putNull(index);"
    case d: DecimalType => s"putDecimal(index, $value, ${d.precision}, ${d.scale});"
    case _: StringType => s"putString(index, $value);"
    case BinaryType => s"putBinary(index, $value);"
    case _: ArrayType => s"putArray(index, $value);"
    case _: MapType => s"putMap(index, $value);"
    case _: StructType => s"putStruct(index, $value);"
    case t => s"put${CodeGenerator.primitiveTypeName(t)}(index, $value);"
  }

  private def copyable(value: Any): ByteBuffer = SparkEnv.get.closureSerializer.newInstance().serialize(value)

  private def copied[T: scala.reflect.ClassTag](bytes: ByteBuffer, loader: ClassLoader): T =
    SparkEnv.get.closureSerializer.newInstance().deserialize[T](bytes.duplicate(), loader)

  private final class CompiledCode(generated: GeneratedClass, references: ByteBuffer) extends BridgedCode {
    override def newLoop(classLoader: ClassLoader): BridgedLoop =
      generated.generate(copied[Array[Any]](references, classLoader)).asInstanceOf[BridgedLoop]
  }

  private final class InterpretedCode(expression: ByteBuffer) extends BridgedCode {
    override def newLoop(classLoader: ClassLoader): BridgedLoop =
      new InterpretedLoop(copied[Expression](expression, classLoader))
  }
}

/** Computes an expression by Spark's interpreter. */
private final class InterpretedLoop(expression: Expression) extends BridgedLoop {
  private val dataType = expression.dataType

  override def compute(row: InternalRow, index: Int): Unit = expression.eval(row) match {
    case null => putNull(index)
    case v: Boolean => putBoolean(index, v)
    case v: Byte => putByte(index, v)
    case v: Short => putShort(index, v)
    case v: Int => putInt(index, v)
    case v: Long => putLong(index, v)
    case v: Float => putFloat(index, v)
    case v: Double => putDouble(index, v)
    case v: UTF8String => putString(index, v)
    case v: Array[Byte] => putBinary(index, v)
    case v: ArrayData => putArray(index, v)
    case v: MapData => putMap(index, v)
    case v: InternalRow => putStruct(index, v)
    case v: Decimal =>
      val decimal = dataType.asInstanceOf[DecimalType]
      putDecimal(index, v, decimal.precision, decimal.scale)
    case v => throw new IllegalStateException(s"a value of class ${v.getClass.getName} for $dataType")
  }
}
