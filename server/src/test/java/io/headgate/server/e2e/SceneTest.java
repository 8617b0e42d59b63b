package io.headgate.server.e2e;

import io.headgate.server.NeedsTheMachine;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A class of tests that only watch what becomes of the traffic and the rules of a service of their
 * own: most of it is waiting, and several are on the processes at the same time.
 */
@Tag("process")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@ExtendWith(OnSharedFleet.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = NeedsTheMachine.PROCESSORS, mode = ResourceAccessMode.READ)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface SceneTest {}
