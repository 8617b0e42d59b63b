package io.headgate.control.aggregator;

import io.headgate.core.shed.Directive;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.Directives;
import org.jspecify.annotations.Nullable;

/**
 * What one agent is told of the directives in force: those of the buckets that it has defined, all
 * of them in answer to its first report and then what changes. While its link is slow nothing is
 * stored; it is told all of them again when the link takes messages.
 */
final class DirectiveFeed {

  private final AgentStreams streams;
  private final Link<AgentDirection> link;
  private final BucketNumbers numbers;

  private boolean reported;
  private boolean toldAll;
  private boolean due;

  DirectiveFeed(AgentStreams streams, Link<AgentDirection> link, BucketNumbers numbers) {
    this.streams = streams;
    this.link = link;
    this.numbers = numbers;
  }

  /**
   * The agent has reported.
   *
   * @param defined how many buckets it had defined before that report
   */
  void reported(int defined) {
    reported = true;
    if (toldAll) {
      sendFrom(defined);
    } else {
      sendAll();
    }
  }

  /** The link takes messages again. */
  void ready() {
    if (due) {
      sendAll();
    }
  }

  /** Sends what has changed. */
  void sendChanged() {
    if (!toldAll) {
      sendAll();
      return;
    }
    Directives.@Nullable Builder rows = null;
    for (int slot = 0; slot < numbers.count(); slot++) {
      int bucket = numbers.bucket(slot);
      if (bucket != BucketTable.NONE && streams.directives().isChanged(bucket)) {
        rows = addRow(rows, slot);
      }
    }
    send(rows);
  }

  /**
   * Sends all directives. Before the first report the agent's buckets are not known, and before a
   * controller judges there is nothing to tell: to say "none" would undo what the agent may still
   * hold from another aggregator.
   */
  void sendAll() {
    if (!reported || !streams.directives().isHeld()) {
      return;
    }
    due = false;
    toldAll = true;
    send(addInForce(Directives.newBuilder().setComplete(true), 0));
  }

  private void sendFrom(int firstSlot) {
    if (firstSlot < numbers.count()) {
      send(addInForce(null, firstSlot));
    }
  }

  private Directives.@Nullable Builder addInForce(
      Directives.@Nullable Builder message, int firstSlot) {
    Directives.@Nullable Builder rows = message;
    for (int slot = firstSlot; slot < numbers.count(); slot++) {
      int bucket = numbers.bucket(slot);
      if (bucket != BucketTable.NONE && streams.directives().get(bucket) != DirectiveTable.NONE) {
        rows = addRow(rows, slot);
      }
    }
    return rows;
  }

  private Directives.Builder addRow(Directives.@Nullable Builder message, int slot) {
    Directive directive = Directive.fromBits(streams.directives().get(numbers.bucket(slot)));
    return (message == null ? Directives.newBuilder() : message)
        .addBucket(numbers.id(slot))
        .addLevel(directive.level())
        .addAccept(directive.accept());
  }

  private void send(Directives.@Nullable Builder message) {
    if (message == null || due) {
      return;
    }
    due = !link.isReady();
    if (!due) {
      link.send(streams.stamped(message));
      streams.metrics().directives();
    }
  }
}
