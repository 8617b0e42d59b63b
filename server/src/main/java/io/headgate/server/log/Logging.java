package io.headgate.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Sets up the log: on standard error, so that standard output stays for what programs read. */
public final class Logging {

  private static final String TEXT = "%d{ISO8601} %-5level %-16.-16logger{0} %msg%n";

  /**
   * Loggers of gRPC that print a stack trace for each message of a client that is malformed or too
   * large, of which anybody may send many; the client gets an error. Kept, since levels are lost
   * with loggers that nobody holds.
   */
  private static final List<java.util.logging.Logger> OF_CLIENTS_MISTAKES =
      List.of(
          java.util.logging.Logger.getLogger(
              "io.grpc.internal.SerializeReentrantCallsDirectExecutor"),
          java.util.logging.Logger.getLogger(
              "io.grpc.netty.shaded.io.grpc.netty.NettyServerStream"));

  private Logging() {}

  /** How the log is written. */
  public enum Form {
    /** A line for people. */
    TEXT,
    /** A JSON object a line. */
    JSON;

    /** As it is written on the command line. */
    @Override
    public String toString() {
      return this == TEXT ? "text" : "json";
    }
  }

  /** Logs warnings alone, until a command asks for more: what most of them print is for people. */
  public static void startQuietly() {
    to(Form.TEXT);
  }

  /** Logs in this form from now on: headgate from INFO, libraries from WARN. */
  public static void start(Form form) {
    to(form).getLogger("io.headgate").setLevel(Level.INFO);
  }

  private static LoggerContext to(Form form) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    Encoder<ILoggingEvent> encoder = form == Form.TEXT ? text(context) : new JsonLineEncoder();
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    OF_CLIENTS_MISTAKES.forEach(logger -> logger.setLevel(java.util.logging.Level.OFF));
    return context;
  }

  /** Logs more of headgate. */
  public static void debug() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger("io.headgate").setLevel(Level.DEBUG);
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(TEXT);
    return encoder;
  }
}
