package io.accelerant.spark;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.accelerant.PythonMap;
import org.apache.spark.sql.types.StructType;
import scala.Function2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/**
 * Rows of which a Python function may get batches; see {@link PythonMap}. The method that tells what is done with a partition takes one thing
 * more in Spark 4.3; Java lets a class override either without saying so, so that it compiles with both.
 */
final class PythonRowsRDD extends NativeRowsRDD {

  private static final String NAME = "mapPartitionsWithIndexInternal";
  private static final MethodHandle SPARKS = sparks();

  PythonRowsRDD(NativeRDD batches, StructType schema) {
    super(batches, schema);
  }

  public <U> RDD<U> mapPartitionsWithIndexInternal(
      Function2<Object, Iterator<InternalRow>, Iterator<U>> f,
      boolean preservesPartitioning,
      boolean isOrderSensitive,
      ClassTag<U> tag) {
    return callSparks(this, PythonMap.orSame(f), preservesPartitioning, isOrderSensitive, tag);
  }

  public <U> RDD<U> mapPartitionsWithIndexInternal(
      Function2<Object, Iterator<InternalRow>, Iterator<U>> f,
      boolean preservesPartitioning,
      boolean isOrderSensitive,
      boolean further,
      ClassTag<U> tag) {
    return callSparks(this, PythonMap.orSame(f), preservesPartitioning, isOrderSensitive, further, tag);
  }

  @SuppressWarnings("unchecked")
  private static <U> RDD<U> callSparks(Object... arguments) {
    try {
      return (RDD<U>) SPARKS.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle sparks() {
    try {
      for (var method : RDD.class.getMethods()) {
        if (method.getName().equals(NAME)) {
          var type = MethodType.methodType(method.getReturnType(), Arrays.asList(method.getParameterTypes()));
          return MethodHandles.lookup().findSpecial(RDD.class, NAME, type, PythonRowsRDD.class);
        }
      }
    } catch (IllegalAccessException | NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException("this Spark has no RDD." + NAME);
  }
}
