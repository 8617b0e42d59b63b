package io.headgate.control.controller;

/** Counts what is not taken. */
@FunctionalInterface
interface Refusals {

  /** Counts {@code times} for one reason. */
  void count(Refusal reason, int times);

  /** Counts one. */
  default void count(Refusal reason) {
    count(reason, 1);
  }
}
