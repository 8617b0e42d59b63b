package io.headgate.server.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A class of tests on the control plane's own processes and sockets. */
@Tag("process")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@ExtendWith(OnSharedFleet.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface EndToEndTest {}
