package io.accelerant.spark;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A column of a native batch, read in place from an Arrow C {@code ArrowArray}: plain layouts, 32-bit offsets.
 *
 * <p>The vector owns nothing. It may be attached to one array after another; what a getter returned from an earlier array (strings,
 * arrays, maps) must not be read once that array is released. Values under null slots are not defined.
 */
public final class NativeColumnVector extends ColumnVector {
  /** Byte offsets of the fields of an ArrowArray. */
  private static final long LENGTH = 0;
  private static final long NULL_COUNT = 8;
  private static final long OFFSET = 16;
  private static final long NUM_CHILDREN = 32;
  private static final long BUFFERS = 40;
  private static final long CHILDREN = 48;

  private enum Layout { NULL, BITS, FIXED, BYTES, LIST, MAP, STRUCT }

  private final Layout layout;
  private final long width;
  private final NativeColumnVector[] children;

  private int numRows;
  private long nullCount;
  /** Position of row 0 in the array's bitmaps. */
  private long firstBit;
  /** Address of the validity bitmap, 0 when no row is null. */
  private long validity;
  /** Address of row 0's value; of the bitmap for booleans; of the characters for strings and binaries. */
  private long values;
  /** Address of row 0's 32-bit offset for strings, binaries, arrays and maps. */
  private long offsets;

  /** Creates a vector for a type, with vectors for its children, attached to nothing. */
  public NativeColumnVector(DataType type) {
    super(type);
    layout = layoutOf(type);
    width = type instanceof DecimalType ? 16 : type.defaultSize();
    children = childrenOf(type);
  }

  /** Creates the columns of a struct. */
  static NativeColumnVector[] columns(StructType schema) {
    return Arrays.stream(schema.fields())
        .map(field -> new NativeColumnVector(field.dataType()))
        .toArray(NativeColumnVector[]::new);
  }

  /**
   * Attaches columns to the children of a batch, an ArrowArray of struct type, and returns its number of rows. Throws
   * IllegalStateException for a batch of another shape.
   */
  static int attachBatch(long batch, NativeColumnVector[] columns) {
    long length = Platform.getLong(null, batch + LENGTH);
    long numChildren = Platform.getLong(null, batch + NUM_CHILDREN);
    if (numChildren != columns.length || length > Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "a native batch has " + numChildren + " columns, " + length + " rows; expected " + columns.length + " columns");
    }
    long offset = Platform.getLong(null, batch + OFFSET);
    for (int i = 0; i < columns.length; i++) {
      columns[i].attach(child(batch, i), offset, (int) length);
    }
    return (int) length;
  }

  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    return numNulls() > 0;
  }

  @Override
  public int numNulls() {
    if (nullCount < 0) {
      nullCount = 0;
      for (int row = 0; row < numRows; row++) {
        nullCount += isNullAt(row) ? 1 : 0;
      }
    }
    return (int) nullCount;
  }

  @Override
  public boolean isNullAt(int row) {
    return validity == 0 ? layout == Layout.NULL : !bit(validity, firstBit + row);
  }

  @Override
  public boolean getBoolean(int row) {
    return bit(values, firstBit + row);
  }

  @Override
  public byte getByte(int row) {
    return Platform.getByte(null, values + row);
  }

  @Override
  public short getShort(int row) {
    return Platform.getShort(null, values + 2L * row);
  }

  @Override
  public int getInt(int row) {
    return Platform.getInt(null, values + 4L * row);
  }

  @Override
  public long getLong(int row) {
    return Platform.getLong(null, values + 8L * row);
  }

  @Override
  public float getFloat(int row) {
    return Platform.getFloat(null, values + 4L * row);
  }

  @Override
  public double getDouble(int row) {
    return Platform.getDouble(null, values + 8L * row);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    if (isNullAt(row)) {
      return null;
    }
    long address = values + 16L * row;
    long low = Platform.getLong(null, address);
    if (precision <= Decimal.MAX_LONG_DIGITS()) {
      return Decimal.createUnsafe(low, precision, scale);
    }
    long high = Platform.getLong(null, address + 8);
    return Decimal.apply(new java.math.BigDecimal(unscaled(high, low), scale), precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    if (isNullAt(row)) {
      return null;
    }
    int start = offset(row);
    return UTF8String.fromAddress(null, values + start, offset(row + 1) - start);
  }

  @Override
  public byte[] getBinary(int row) {
    UTF8String bytes = getUTF8String(row);
    return bytes == null ? null : bytes.getBytes();
  }

  @Override
  public ColumnarArray getArray(int row) {
    if (isNullAt(row)) {
      return null;
    }
    int start = offset(row);
    return new ColumnarArray(children[0], start, offset(row + 1) - start);
  }

  @Override
  public ColumnarMap getMap(int row) {
    if (isNullAt(row)) {
      return null;
    }
    int start = offset(row);
    return new ColumnarMap(children[0], children[1], start, offset(row + 1) - start);
  }

  @Override
  public NativeColumnVector getChild(int ordinal) {
    return children[ordinal];
  }

  /** Reads {@code rows} rows of an ArrowArray, {@code start} rows after its own offset. */
  private void attach(long array, long start, int rows) {
    numRows = rows;
    nullCount = layout == Layout.NULL ? rows : Platform.getLong(null, array + NULL_COUNT);
    firstBit = Platform.getLong(null, array + OFFSET) + start;
    validity = layout == Layout.NULL || nullCount == 0 ? 0 : buffer(array, 0);
    if (validity == 0 && layout != Layout.NULL) {
      nullCount = 0;
    } else if (start != 0 || rows != Platform.getLong(null, array + LENGTH)) {
      nullCount = -1;
    }
    if (nullCount == rows) {
      return; // a column of nulls may come without the buffers of its type
    }
    switch (layout) {
      case BITS -> values = buffer(array, 1);
      case FIXED -> values = buffer(array, 1) + firstBit * width;
      case BYTES -> {
        offsets = buffer(array, 1) + firstBit * 4;
        values = buffer(array, 2);
      }
      case LIST -> {
        offsets = buffer(array, 1) + firstBit * 4;
        attachWhole(children[0], child(array, 0));
      }
      case MAP -> {
        offsets = buffer(array, 1) + firstBit * 4;
        attachEntries(child(array, 0));
      }
      case STRUCT -> attachChildren(array, firstBit, rows);
      default -> {}
    }
  }

  private static void attachWhole(NativeColumnVector vector, long array) {
    vector.attach(array, 0, Math.toIntExact(Platform.getLong(null, array + LENGTH)));
  }

  private void attachEntries(long entries) {
    int length = Math.toIntExact(Platform.getLong(null, entries + LENGTH));
    attachChildren(entries, Platform.getLong(null, entries + OFFSET), length);
  }

  private void attachChildren(long array, long start, int rows) {
    for (int i = 0; i < children.length; i++) {
      children[i].attach(child(array, i), start, rows);
    }
  }

  private int offset(int row) {
    return Platform.getInt(null, offsets + 4L * row);
  }

  private static boolean bit(long bitmap, long index) {
    return (Platform.getByte(null, bitmap + (index >> 3)) >> (index & 7) & 1) != 0;
  }

  private static long buffer(long array, int index) {
    return Platform.getLong(null, Platform.getLong(null, array + BUFFERS) + 8L * index);
  }

  private static long child(long array, int index) {
    return Platform.getLong(null, Platform.getLong(null, array + CHILDREN) + 8L * index);
  }

  private static BigInteger unscaled(long high, long low) {
    return new BigInteger(ByteBuffer.allocate(16).putLong(high).putLong(low).array());
  }

  private static Layout layoutOf(DataType type) {
    if (type instanceof NullType) {
      return Layout.NULL;
    } else if (type instanceof BooleanType) {
      return Layout.BITS;
    } else if (type instanceof StringType || type instanceof BinaryType) {
      return Layout.BYTES;
    } else if (type instanceof ArrayType) {
      return Layout.LIST;
    } else if (type instanceof MapType) {
      return Layout.MAP;
    } else {
      return type instanceof StructType ? Layout.STRUCT : Layout.FIXED;
    }
  }

  private static NativeColumnVector[] childrenOf(DataType type) {
    if (type instanceof ArrayType array) {
      return new NativeColumnVector[] {new NativeColumnVector(array.elementType())};
    } else if (type instanceof MapType map) {
      return new NativeColumnVector[] {new NativeColumnVector(map.keyType()), new NativeColumnVector(map.valueType())};
    } else {
      return type instanceof StructType struct ? columns(struct) : new NativeColumnVector[0];
    }
  }
}
