package accelerant.test;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.internal.SQLConf;

/** Functions of users, as tests register them. */
public final class Functions {
  private Functions() {}

  private static final AtomicLong CALLS = new AtomicLong();

  /** Returns how often a function that counts was called in this JVM since the last call of this. */
  public static long takeCalls() {
    return CALLS.getAndSet(0);
  }

  /** Adds numbers; fails on 7. */
  public static final class Sum implements UDF2<Long, Double, Double> {
    @Override
    public Double call(Long a, Double b) {
      if (a != null && a == 7) {
        throw new IllegalStateException("seven");
      }
      return a == null || b == null ? null : a + b;
    }
  }

  /** Formats seconds with what threads must not share, and keeps it busy. */
  public static final class Format implements UDF1<Long, String> {
    private final SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss");

    public Format() {
      format.setTimeZone(TimeZone.getTimeZone("UTC"));
    }

    @Override
    public String call(Long seconds) {
      return seconds == null ? null : format.format(new Date(seconds * 1000));
    }
  }

  /** Counts its calls. */
  public static final class Counted implements UDF1<String, String> {
    @Override
    public String call(String text) {
      CALLS.incrementAndGet();
      return text == null ? "none" : text + text.length();
    }
  }

  /** Holds what tasks can't be sent. */
  public static final class NotCopied implements UDF1<Long, Long> {
    private final Thread thread = Thread.currentThread();

    @Override
    public Long call(Long value) {
      return value == null ? null : value + thread.getPriority();
    }
  }

  /** Succeeds on a row that it failed before: its exception must be kept. */
  public static final class FailsOnce implements UDF1<Long, Long> {
    private static final AtomicLong FAILURES = new AtomicLong();

    @Override
    public Long call(Long value) {
      if (value % 1000 == 3 && FAILURES.getAndIncrement() == 0) {
        throw new IllegalStateException("the first time");
      }
      return value;
    }
  }

  /** Sleeps for ever on the value 5. */
  public static final class Sleeps implements UDF1<Long, Long> {
    @Override
    public Long call(Long value) throws InterruptedException {
      CALLS.incrementAndGet();
      if (value == 5) {
        Thread.sleep(3_600_000);
      }
      if (value == 6) {
        Thread.sleep(2_000);
      }
      return value;
    }
  }

  /** Reads a setting of the session as functions of Spark's do. */
  public static final class Setting implements UDF1<Long, String> {
    @Override
    public String call(Long value) {
      return SQLConf.get().sessionLocalTimeZone();
    }
  }

  /** Looks at its task. */
  public static final class OfTask implements UDF1<Long, Integer> {
    @Override
    public Integer call(Long value) {
      return TaskContext.get().partitionId();
    }
  }
}
