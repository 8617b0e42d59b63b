package io.headgate.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests of processes that need the processors in time: no others run meanwhile. */
@ResourceLock(NeedsTheMachine.PROCESSORS)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface NeedsTheMachine {

  /** What such tests have to themselves, and tests that mostly wait have together. */
  String PROCESSORS = "processors";
}
