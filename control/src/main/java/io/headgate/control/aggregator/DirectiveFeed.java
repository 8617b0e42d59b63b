package io.headgate.control.aggregator;

import io.headgate.core.shed.Directive;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.Directives;
import org.jspecify.annotations.Nullable;

/**
 * What one agent is told of the directives in force: a row for each bucket that it has defined, as
 * soon as that has been judged, and then what changes. While its link is slow nothing is stored; it
 * is told all of them again when the link takes messages.
 */
final class DirectiveFeed {

  private final AgentStreams streams;
  private final Link<AgentDirection> link;
  private final BucketNumbers numbers;

  private boolean due;

  DirectiveFeed(AgentStreams streams, Link<AgentDirection> link, BucketNumbers numbers) {
    this.streams = streams;
    this.link = link;
    this.numbers = numbers;
  }

  /**
   * The agent has defined buckets.
   *
   * @param before how many it had defined before
   */
  void defined(int before) {
    send(before, true);
  }

  /** The link takes messages again. */
  void ready() {
    if (due) {
      due = false;
      send(0, true);
    }
  }

  /** Sends what has changed. */
  void sendChanged() {
    send(0, false);
  }

  private void send(int firstSlot, boolean all) {
    if (due) {
      return;
    }
    // Most agents have none of the few buckets that a change is about; these cost no message.
    Directives.@Nullable Builder rows = null;
    DirectivesInForce directives = streams.directives();
    for (int slot = firstSlot; slot < numbers.count(); slot++) {
      int bucket = numbers.bucket(slot);
      if (bucket == BucketTable.NONE) {
        // There was no room for it: nobody will judge it, so nothing is to be in force for it.
        if (all) {
          rows = addRow(rows, slot, Directive.NONE);
        }
      } else if ((all || directives.isChanged(bucket)) && directives.isJudged(bucket)) {
        rows = addRow(rows, slot, directives.directive(bucket));
      }
    }
    if (rows != null) {
      due = !link.isReady();
      if (!due) {
        link.send(streams.stamped(rows));
        streams.metrics().directives();
      }
    }
  }

  private Directives.Builder addRow(
      Directives.@Nullable Builder rows, int slot, Directive directive) {
    return (rows == null ? Directives.newBuilder() : rows)
        .addBucket(numbers.id(slot))
        .addLevel(directive.level())
        .addAccept(directive.accept());
  }
}
