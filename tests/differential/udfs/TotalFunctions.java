package accelerant.differential;

import java.math.BigDecimal;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;

/** Functions of users that random queries call: they fail of no value. */
public final class TotalFunctions {
  private TotalFunctions() {}

  /** Turns the bits of a number around. */
  public static final class Reversed implements UDF1<Long, Long> {
    @Override
    public Long call(Long number) {
      return number == null ? null : Long.reverse(number);
    }
  }

  /** Says how long a text is, also of none. */
  public static final class Counted implements UDF1<String, String> {
    @Override
    public String call(String text) {
      return text == null ? "none" : text + text.length();
    }
  }

  /** Says whether a number has fewer digits than a text letters; of nulls nothing. */
  public static final class Shorter implements UDF2<Integer, String, Boolean> {
    @Override
    public Boolean call(Integer number, String text) {
      return number == null || text == null ? null : number.toString().length() < text.length();
    }
  }

  /** Changes the sign of a decimal. */
  public static final class Negated implements UDF1<BigDecimal, BigDecimal> {
    @Override
    public BigDecimal call(BigDecimal number) {
      return number == null ? null : number.negate();
    }
  }
}
