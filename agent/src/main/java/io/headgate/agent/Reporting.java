package io.headgate.agent;

import io.headgate.protocol.v1.Ask;
import io.headgate.protocol.v1.Report;

/** Decides when what the buckets counted is reported. Confined to the event loop. */
interface Reporting {

  /** Where reports go: the stream in use. */
  interface Outlet {

    boolean isReady();

    /** Asks what is in force for buckets. */
    void send(Ask ask);

    /** Sends a report, which gets the version of the rules in force. */
    void send(Report.Builder report);
  }

  void start();

  void stop();

  /** A stream begins: from now on reports go there. */
  void attach(Outlet stream);

  /** The stream is over. */
  void detach();

  /** The stream takes messages again. */
  void ready();

  /** Reports no more often than this until told otherwise. */
  void slowDown(long atLeastNanos);

  /** The time between two reports as it is now. */
  long intervalNanos();

  /** How long until what was counted covers enough time to be reported; 0 if it does. */
  long nanosToNextReport();

  /** Reports all that is left, however short the time, whether the stream is ready or not. */
  void reportLast();
}
