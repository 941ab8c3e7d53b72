package io.accelerant.spark

import java.lang.ref.Reference

/** A plan that the engine has bound, for any number of runs; freed when nothing refers to it any more. */
final class PreparedQuery private (engines: Long) {

  /** Returns the engine's verdict on the plan, for runs with these options. */
  def verdict(options: String, plan: EncodedPlan): Verdict = {
    def splits() = SplitsEncoder.encode(SplitsEncoder.splits(plan))
    try use(handle => Verdict.parse(Native.verdict(handle, options, () => splits())))
    finally Notices.logTaken()
  }

  /** Does something with what the engine has. */
  def use[T](body: Long => T): T =
    try body(engines)
    finally Reference.reachabilityFence(this)
}

object PreparedQuery {

  /** Has the engine bind a plan. */
  def of(plan: EncodedPlan): PreparedQuery = {
    val handle = Native.prepareQuery(plan.bytes)
    val made = new PreparedQuery(handle)
    NativeQuery.afterwards(made, () => Native.closePrepared(handle))
    made
  }
}
