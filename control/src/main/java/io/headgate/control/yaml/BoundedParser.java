package io.headgate.control.yaml;

import java.util.Optional;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.parser.Parser;

/**
 * Refuses deep nesting, which would overflow the stack of the recursive composer, and remembers how
 * far it came.
 */
final class BoundedParser implements Parser {

  private static final int MAX_DEPTH = 32;

  private final Parser parser;
  private Optional<Mark> place = Optional.empty();
  private int depth;

  BoundedParser(Parser parser) {
    this.parser = parser;
  }

  /** Where the last event began. */
  Optional<Mark> place() {
    return place;
  }

  @Override
  public boolean checkEvent(Event.ID choice) {
    return parser.checkEvent(choice);
  }

  @Override
  public Event peekEvent() {
    return parser.peekEvent();
  }

  @Override
  public boolean hasNext() {
    return parser.hasNext();
  }

  @Override
  public Event next() {
    Event event = parser.next();
    place = event.getStartMark();
    switch (event.getEventId()) {
      case SequenceStart, MappingStart -> depth++;
      case SequenceEnd, MappingEnd -> depth--;
      default -> {
        // leaves the depth as it is
      }
    }
    if (depth > MAX_DEPTH) {
      throw new ParserException("more than " + MAX_DEPTH + " levels of nesting", place);
    }
    return event;
  }
}
