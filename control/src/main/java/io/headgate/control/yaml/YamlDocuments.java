package io.headgate.control.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** From bytes to YAML nodes that know their place. What is no YAML becomes a problem. */
public final class YamlDocuments {

  /** The largest file that is read. */
  public static final int MAX_FILE_BYTES = 4 * 1024 * 1024;

  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setSchema(new CoreSchema())
          .setMaxAliasesForCollections(100)
          .setCodePointLimit(MAX_FILE_BYTES)
          .setAllowNonScalarKeys(true)
          .build();

  private static final String NOT_YAML = "not valid YAML: ";

  private final Problems problems;

  /** A reader that adds what is wrong to {@code problems}. */
  public YamlDocuments(Problems problems) {
    this.problems = problems;
  }

  /** The documents before the first mistake in the YAML itself. */
  public List<Node> read(byte[] content) {
    if (content.length > MAX_FILE_BYTES) {
      problems.add(1, 1, "the file is too large (expected: at most " + MAX_FILE_BYTES + " bytes)");
      return List.of();
    }
    CharBuffer text = CharBuffer.allocate(content.length);
    return decode(content, text) && isPrintable(text) ? compose(text.toString()) : List.of();
  }

  private boolean decode(byte[] content, CharBuffer text) {
    CharsetDecoder decoder =
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer bytes = ByteBuffer.wrap(content);
    CoderResult result = decoder.decode(bytes, text, true);
    text.flip();
    if (result.isError()) {
      addAtEnd(text, "the byte 0x%02X is not UTF-8 text".formatted(bytes.get(bytes.position())));
      return false;
    }
    if (text.hasRemaining() && text.get(0) == '\uFEFF') {
      text.get(); // a byte order mark is allowed, and says nothing
    }
    return true;
  }

  private boolean isPrintable(CharBuffer text) {
    for (int i = 0; i < text.length(); i++) {
      int codePoint = Character.codePointAt(text, i);
      if (!StreamReader.isPrintable(codePoint)) {
        addAtEnd(
            text.subSequence(0, i),
            "the character U+%04X is not allowed in YAML".formatted(codePoint));
        return false;
      }
      if (Character.isSupplementaryCodePoint(codePoint)) {
        i++;
      }
    }
    return true;
  }

  private void addAtEnd(CharSequence before, String message) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < before.length(); i++) {
      char c = before.charAt(i);
      if (c == '\n') {
        line++;
        column = 1;
      } else if (!Character.isLowSurrogate(c)) {
        column++;
      }
    }
    problems.add(line, column, message);
  }

  private List<Node> compose(String text) {
    List<Node> documents = new ArrayList<>();
    BoundedParser parser =
        new BoundedParser(new ParserImpl(SETTINGS, new StreamReader(SETTINGS, text)));
    Composer composer = new Composer(SETTINGS, parser);
    try {
      while (composer.hasNext()) {
        documents.add(composer.next());
      }
    } catch (MarkedYamlEngineException e) {
      problems.add(e.getProblemMark().or(parser::place), NOT_YAML + explain(e));
    } catch (YamlVersionException e) {
      problems.add(
          parser.place(),
          NOT_YAML
              + "found version "
              + e.getSpecVersion().getRepresentation()
              + " (expected: 1.2)");
    } catch (YamlEngineException e) {
      problems.add(parser.place(), NOT_YAML + e.getMessage());
    }
    return documents;
  }

  private static String explain(MarkedYamlEngineException e) {
    StringBuilder reason = new StringBuilder(e.getProblem().strip());
    String context = e.getContext();
    if (context != null && !context.isBlank()) {
      reason.append(", ").append(context.strip());
      e.getContextMark()
          .ifPresent(mark -> reason.append(" begun on line ").append(mark.getLine() + 1));
    }
    if (reason.indexOf("alias") >= 0) {
      reason.append(" (a name that begins with '*' needs quotes)");
    }
    return reason.toString();
  }
}
