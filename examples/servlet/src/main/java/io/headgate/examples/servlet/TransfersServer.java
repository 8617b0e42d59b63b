package io.headgate.examples.servlet;

import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.call.CallerIdentity;
import io.headgate.agent.servlet.HeadgateFilter;
import io.headgate.agent.servlet.ProcedureNames;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;

/** An HTTP service that limits what comes in. */
public final class TransfersServer {

  /** Paths hold identifiers, so a procedure is a route: {@code GET /api/transfers/{id}}. */
  static final ProcedureNames ROUTES =
      request ->
          ProcedureNames.methodAndPath()
              .procedure(request)
              .replaceFirst(" /api/transfers/[^/]+$", " /api/transfers/{id}");

  private TransfersServer() {}

  /**
   * Serves on a port until the process is ended.
   *
   * @param args the port, and the address of an aggregator; by default 7202 and 127.0.0.1:7070
   */
  public static void main(String[] args) throws Exception {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7202;
    String aggregator = args.length > 1 ? args[1] : "127.0.0.1:7070";
    HeadgateAgent agent =
        HeadgateAgent.builder()
            .service("transfers")
            .region("local")
            .zone("local-1")
            .aggregators(aggregator)
            .build();
    Server server = start(port, agent);
    System.out.println("transfers: on " + server.getURI());
    Runtime.getRuntime().addShutdownHook(new Thread(agent::close));
    server.setStopAtShutdown(true);
    server.join();
  }

  static Server start(int port, HeadgateAgent agent) throws Exception {
    ServletContextHandler context = new ServletContextHandler("/");
    FilterHolder filter =
        new FilterHolder(HeadgateFilter.of(agent, CallerIdentity.certificateOrHeader(), ROUTES));
    filter.setAsyncSupported(true);
    context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addServlet(new Transfers(), "/api/transfers/*");
    Server server = new Server(new InetSocketAddress("127.0.0.1", port));
    server.setHandler(context);
    server.start();
    return server;
  }

  private static final class Transfers extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/plain");
      response.getOutputStream().println("transfer " + request.getPathInfo());
    }
  }
}
