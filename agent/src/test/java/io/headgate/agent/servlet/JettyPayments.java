package io.headgate.agent.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * A Jetty on a loopback port with the filter before a servlet of an application at {@code /shop}.
 */
final class JettyPayments implements AutoCloseable {

  /** The requests that came through to the servlet, as method and path. */
  final List<String> served = new CopyOnWriteArrayList<>();

  private final Server server = new Server();
  private final ServerConnector connector;

  JettyPayments(Filter filter) throws Exception {
    this(filter, null);
  }

  JettyPayments(Filter filter, SslContextFactory.@Nullable Server tls) throws Exception {
    if (tls == null) {
      connector = new ServerConnector(server);
    } else {
      HttpConfiguration http = new HttpConfiguration();
      http.addCustomizer(new SecureRequestCustomizer(false));
      connector =
          new ServerConnector(
              server, new SslConnectionFactory(tls, "http/1.1"), new HttpConnectionFactory(http));
    }
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/shop");
    FilterHolder filterHolder = new FilterHolder(filter);
    filterHolder.setAsyncSupported(true);
    context.addFilter(filterHolder, "/*", EnumSet.allOf(DispatcherType.class));
    ServletHolder api = new ServletHolder(new Api());
    api.setAsyncSupported(true);
    context.addServlet(api, "/api/*");
    server.setHandler(context);
    server.start();
  }

  int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }

  /** Answers {@code ok}; below {@code /api/async} through an asynchronous dispatch. */
  private final class Api extends HttpServlet {

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getPathInfo().startsWith("/async")
          && request.getDispatcherType() == DispatcherType.REQUEST) {
        AsyncContext async = request.startAsync();
        async.start(async::dispatch);
        return;
      }
      served.add(request.getMethod() + " " + request.getRequestURI());
      response.setContentType("text/plain");
      response.getOutputStream().print("ok");
    }
  }
}
