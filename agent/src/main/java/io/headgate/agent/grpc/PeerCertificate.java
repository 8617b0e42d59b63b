package io.headgate.agent.grpc;

import io.headgate.agent.call.SpiffeId;
import java.security.cert.Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Whether the peer of a TLS session showed a verified certificate, and whom it names.
 *
 * @param present whether there is one
 * @param spiffeId as {@link SpiffeId#of} gives it
 */
record PeerCertificate(boolean present, String spiffeId) {

  private static final String SESSION_KEY = PeerCertificate.class.getName();

  /** The certificate of a session's peer; read once a session, because reading one is slow. */
  static PeerCertificate of(SSLSession session) {
    if (session.getValue(SESSION_KEY) instanceof PeerCertificate known) {
      return known;
    }
    PeerCertificate read = read(session);
    session.putValue(SESSION_KEY, read);
    return read;
  }

  private static PeerCertificate read(SSLSession session) {
    try {
      Certificate[] chain = session.getPeerCertificates();
      return new PeerCertificate(chain.length > 0, chain.length > 0 ? SpiffeId.of(chain[0]) : "");
    } catch (SSLPeerUnverifiedException e) {
      // TLS without a client certificate.
      return new PeerCertificate(false, "");
    }
  }
}
