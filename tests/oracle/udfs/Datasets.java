package accelerant.test;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.spark.api.java.function.CoGroupFunction;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapGroupsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.expressions.Aggregator;
import org.apache.spark.sql.expressions.SparkUserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction2;

/** Typed programs of users over a table of `id`, `s` and `x`, and functions of nested values, as tests call them. */
public final class Datasets {
  private Datasets() {}

  /** A row of the table. */
  public static final class Item implements Serializable {
    private long id;
    private String s;
    private Double x;

    public long getId() {
      return id;
    }

    public void setId(long id) {
      this.id = id;
    }

    public String getS() {
      return s;
    }

    public void setS(String s) {
      this.s = s;
    }

    public Double getX() {
      return x;
    }

    public void setX(Double x) {
      this.x = x;
    }
  }

  /** A function of Scala: it has encoders for what it takes and gives, as `udf` makes it. */
  private static final class Joined extends AbstractFunction2<String, Object, String> implements Serializable {
    @Override
    public String apply(String text, Object number) {
      return text + ":" + number;
    }
  }

  /** Registers `joined`, as `spark.udf.register` of Scala would. */
  public static void registerJoined(SparkSession spark) {
    Seq<Option<Encoder<?>>> inputs = CollectionConverters.asScala(
        List.<Option<Encoder<?>>>of(Option.apply(Encoders.STRING()), Option.apply(Encoders.scalaLong()))).toSeq();
    spark.udf().register(
        "joined",
        new SparkUserDefinedFunction(
            new Joined(), DataTypes.StringType, inputs, Option.apply(Encoders.STRING()), Option.empty(), true, true));
  }

  /** Returns the length of the longest text. */
  public static final class Longest extends Aggregator<String, Integer, String> {
    @Override
    public Integer zero() {
      return 0;
    }

    @Override
    public Integer reduce(Integer most, String text) {
      return text == null ? most : Math.max(most, text.length());
    }

    @Override
    public Integer merge(Integer a, Integer b) {
      return Math.max(a, b);
    }

    @Override
    public String finish(Integer most) {
      return "length " + most;
    }

    @Override
    public Encoder<Integer> bufferEncoder() {
      return Encoders.INT();
    }

    @Override
    public Encoder<String> outputEncoder() {
      return Encoders.STRING();
    }
  }

  /** Writes a row with its schema. */
  public static final class OfRow implements UDF1<Row, String> {
    @Override
    public String call(Row row) {
      return row == null ? null : row.mkString("|") + row.schema().simpleString();
    }
  }

  /** Makes a row. */
  public static final class ToRow implements UDF1<Long, Row> {
    @Override
    public Row call(Long id) {
      return RowFactory.create(id, "s" + id);
    }
  }

  /** Makes an array with a null in it, or none. */
  public static final class ToArray implements UDF1<Long, String[]> {
    @Override
    public String[] call(Long id) {
      return id % 3 == 0 ? null : new String[] {"a" + id % 5, null, "é"};
    }
  }

  /** Makes a map with a null in it. */
  public static final class ToMap implements UDF1<Long, Map<String, Long>> {
    @Override
    public Map<String, Long> call(Long id) {
      Map<String, Long> map = new LinkedHashMap<>();
      map.put("k" + id % 2, id);
      map.put("none", null);
      return map;
    }
  }

  /** Multiplies a decimal, of more digits than the result has. */
  public static final class Scaled implements UDF1<BigDecimal, BigDecimal> {
    @Override
    public BigDecimal call(BigDecimal value) {
      return value == null ? null : value.multiply(new BigDecimal("1.0000001"));
    }
  }

  /** Says of which classes of Java its arguments are. */
  public static final class Classes implements UDF2<Object, Object, String> {
    @Override
    public String call(Object a, Object b) {
      return (a == null ? "" : a.getClass().getName()) + " " + (b == null ? "" : b.getClass().getName());
    }
  }

  /** Registers an aggregate of users, `longest`. */
  public static void registerLongest(SparkSession session) {
    session.udf().register("longest", functions.udaf(new Longest(), Encoders.STRING()));
  }

  /** Runs a typed program by its name over two tables. */
  public static Dataset<Row> run(String program, Dataset<Row> left, Dataset<Row> right) {
    return PROGRAMS.get(program).apply(left.as(ITEM), right.as(ITEM));
  }

  private static final Encoder<Item> ITEM = Encoders.bean(Item.class);
  private static final Map<String, BiFunction<Dataset<Item>, Dataset<Item>, Dataset<Row>>> PROGRAMS =
      Map.of(
          "filter and map", (a, b) -> a.filter(even()).map(next(), ITEM).toDF(),
          "flat map", (a, b) -> a.flatMap(both(), Encoders.STRING()).toDF("v"),
          "groups", (a, b) -> a.groupByKey(text(), Encoders.STRING()).mapGroups(sum(), Encoders.STRING()).toDF("v"),
          "cogroup", (a, b) -> grouped(a, 10).cogroup(grouped(b, 7), sizes(), Encoders.STRING()).toDF("v"),
          "join", (a, b) -> a.as("l").joinWith(b.as("r"), functions.expr("l.id = r.id + 1")).toDF("l", "r"),
          "aggregate", (a, b) -> a.map(text(), Encoders.STRING()).select(new Longest().toColumn()).toDF("v"));

  private static FilterFunction<Item> even() {
    return item -> item.getId() % 2 == 0;
  }

  private static MapFunction<Item, Item> next() {
    return item -> {
      Item made = new Item();
      made.setId(item.getId() + 1);
      made.setS(item.getS() + "!");
      made.setX(item.getX());
      return made;
    };
  }

  private static FlatMapFunction<Item, String> both() {
    return item -> Arrays.asList(item.getS(), "id " + item.getId()).iterator();
  }

  private static MapFunction<Item, String> text() {
    return Item::getS;
  }

  private static MapGroupsFunction<String, Item, String> sum() {
    return (key, items) -> {
      long sum = 0;
      while (items.hasNext()) {
        sum += items.next().getId();
      }
      return key + ":" + sum;
    };
  }

  private static CoGroupFunction<Long, Item, Item, String> sizes() {
    return (key, a, b) -> Arrays.asList(key + ":" + size(a) + ":" + size(b)).iterator();
  }

  private static org.apache.spark.sql.KeyValueGroupedDataset<Long, Item> grouped(Dataset<Item> items, long by) {
    return items.groupByKey((MapFunction<Item, Long>) item -> item.getId() % by, Encoders.LONG());
  }

  private static int size(Iterator<Item> items) {
    int size = 0;
    for (; items.hasNext(); items.next()) {
      size++;
    }
    return size;
  }
}
