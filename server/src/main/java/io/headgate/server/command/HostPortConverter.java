package io.headgate.server.command;

import io.headgate.server.run.HostPort;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code host:port}. */
final class HostPortConverter implements ITypeConverter<HostPort> {

  @Override
  public HostPort convert(String text) {
    try {
      return HostPort.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
