package io.headgate.envoy.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * PEM files on the machine of an Envoy.
 *
 * @param certificate own certificate chain
 * @param key its private key
 * @param authority the certificates of those who sign the certificates of peers; null to ask peers
 *     for none
 */
public record TlsPaths(String certificate, String key, @Nullable String authority) {}
