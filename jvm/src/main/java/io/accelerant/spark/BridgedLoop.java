package io.accelerant.spark;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeMapData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import scala.util.control.NonFatal;

/** Computes one expression row by row into native memory. Generated classes, and one that interprets, say how a row is computed. */
public abstract class BridgedLoop {
  private static final byte VALID = 0;
  private static final byte NULL = 1;
  private static final byte FAILED = 2;

  /** A buffer larger than this is not kept for the next batch. */
  private static final int KEPT_BYTES = 4 << 20;

  private UnsafeProjection arguments;
  private UnsafeProjection nested;
  private long values;
  private long statuses;
  private byte[] bytes = new byte[0];
  private int used;
  private int computed;
  private boolean isBytes;
  private Throwable failure;

  /** Computes a row and calls one of the methods below that begin with "put", once. */
  public abstract void compute(InternalRow row, int index);

  /**
   * Says how rows with arrays, maps or structs become rows of Spark's own: before 4.3 the generic getter of a column's arrays, which lambda
   * functions use, gives values for nulls.
   */
  final void readNestedBy(UnsafeProjection projection) {
    arguments = projection;
  }

  /** Says how results that are arrays, maps or structs become bytes: as the one column of a row. */
  final void writeNestedBy(UnsafeProjection projection) {
    nested = projection;
  }

  /**
   * Begins a batch; see {@link BridgedFunction.Worker#evaluate}.
   *
   * @param hasBytes whether results have bytes of their own
   */
  final void begin(boolean hasBytes, long valuesOut, long statusesOut) {
    isBytes = hasBytes;
    values = valuesOut;
    statuses = statusesOut;
    used = 0;
    computed = 0;
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[0];
    }
    if (isBytes) {
      Platform.putInt(null, values, 0);
    }
  }

  /** Goes on with the batch of a loop whose code failed: Spark's may keep what it had of the row that it did not finish. */
  final void goOnFor(BridgedLoop failed) {
    isBytes = failed.isBytes;
    values = failed.values;
    statuses = failed.statuses;
    used = failed.used;
    computed = failed.computed;
    bytes = failed.bytes;
  }

  /**
   * Computes rows of a batch from one on, up to the first that fails.
   *
   * @param isStopped says whether nobody wants the results any more
   * @return the row that failed, whose exception {@link #failure} gives, or the number of rows
   */
  final int run(ColumnarBatch rows, int from, long wanted, BooleanSupplier isStopped) {
    failure = null;
    for (int index = from; index < rows.numRows(); index++) {
      if (isStopped.getAsBoolean()) {
        throw new CancellationException("nobody reads the query any more");
      }
      if (isWanted(wanted, index)) {
        computeGuarded(rows.getRow(index), index);
      } else {
        putNull(index);
      }
      if (isBytes) {
        Platform.putInt(null, values + 4L * (index + 1), used);
      }
      if (failure != null) {
        return index;
      }
    }
    return rows.numRows();
  }

  /** Returns what the last row threw that was computed, or null. */
  final Throwable failure() {
    return failure;
  }

  /** Returns how many rows of the last batch counted. */
  final int numComputed() {
    return computed;
  }

  /** Returns the bytes of the last batch's results. */
  final byte[] bytes() {
    return bytes;
  }

  private void computeGuarded(InternalRow row, int index) {
    int start = used;
    computed++;
    try {
      compute(arguments == null ? row : arguments.apply(row), index);
    } catch (Throwable thrown) {
      if (!NonFatal.apply(thrown)) {
        throw thrown;
      }
      used = start;
      setStatus(index, FAILED);
      failure = thrown;
    }
  }

  private static boolean isWanted(long wanted, int index) {
    return wanted == 0 || (Platform.getByte(null, wanted + (index >> 3)) >> (index & 7) & 1) != 0;
  }

  private void setStatus(int index, byte status) {
    Platform.putByte(null, statuses + index, status);
  }

  public final void putNull(int index) {
    setStatus(index, NULL);
  }

  public final void putBoolean(int index, boolean value) {
    Platform.putByte(null, values + index, (byte) (value ? 1 : 0));
    setStatus(index, VALID);
  }

  public final void putByte(int index, byte value) {
    Platform.putByte(null, values + index, value);
    setStatus(index, VALID);
  }

  public final void putShort(int index, short value) {
    Platform.putShort(null, values + 2L * index, value);
    setStatus(index, VALID);
  }

  public final void putInt(int index, int value) {
    Platform.putInt(null, values + 4L * index, value);
    setStatus(index, VALID);
  }

  public final void putLong(int index, long value) {
    Platform.putLong(null, values + 8L * index, value);
    setStatus(index, VALID);
  }

  public final void putFloat(int index, float value) {
    Platform.putFloat(null, values + 4L * index, value);
    setStatus(index, VALID);
  }

  public final void putDouble(int index, double value) {
    Platform.putDouble(null, values + 8L * index, value);
    setStatus(index, VALID);
  }

  /** Gives a decimal at the result type's precision and scale; null where it does not fit, as in Spark's rows. */
  public final void putDecimal(int index, Decimal value, int precision, int scale) {
    if (value == null || !value.changePrecision(precision, scale)) {
      putNull(index);
    } else if (precision <= Decimal.MAX_LONG_DIGITS()) {
      putLong(index, value.toUnscaledLong());
    } else {
      BigInteger unscaled = value.toJavaBigDecimal().unscaledValue();
      Platform.putLong(null, values + 16L * index, unscaled.longValue());
      Platform.putLong(null, values + 16L * index + 8, unscaled.shiftRight(64).longValue());
      setStatus(index, VALID);
    }
  }

  public final void putString(int index, UTF8String value) {
    putBytes(index, value.getBaseObject(), value.getBaseOffset(), value.numBytes());
  }

  public final void putBinary(int index, byte[] value) {
    putBytes(index, value, Platform.BYTE_ARRAY_OFFSET, value.length);
  }

  public final void putArray(int index, ArrayData value) {
    UnsafeArrayData array = nested.apply(new GenericInternalRow(new Object[] {value})).getArray(0);
    putBytes(index, array.getBaseObject(), array.getBaseOffset(), array.getSizeInBytes());
  }

  public final void putMap(int index, MapData value) {
    UnsafeMapData map = nested.apply(new GenericInternalRow(new Object[] {value})).getMap(0);
    putBytes(index, map.getBaseObject(), map.getBaseOffset(), map.getSizeInBytes());
  }

  public final void putStruct(int index, InternalRow value) {
    UnsafeRow struct = nested.apply(new GenericInternalRow(new Object[] {value})).getStruct(0, value.numFields());
    putBytes(index, struct.getBaseObject(), struct.getBaseOffset(), struct.getSizeInBytes());
  }

  private void putBytes(int index, Object base, long offset, int length) {
    int end = Math.addExact(used, length);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(2L * end, 1 << 12), Integer.MAX_VALUE - 15));
    }
    Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET + used, length);
    used = end;
    setStatus(index, VALID);
  }
}
