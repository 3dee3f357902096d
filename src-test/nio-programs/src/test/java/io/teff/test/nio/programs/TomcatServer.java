package io.teff.test.nio.programs;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** A Tomcat that answers each request with the body of the request. */
final class TomcatServer {
    private TomcatServer() {}

    /** Sends the body back. */
    private static final class EchoServlet extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            final byte[] body = request.getInputStream().readAllBytes();
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }

    public static void main(String[] arguments) throws Exception {
        final Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[0]);
        tomcat.setPort(0);
        final Connector connector = tomcat.getConnector();
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("keepAliveTimeout", "120000");
        connector.setProperty("maxThreads", "8");
        connector.setProperty("acceptCount", "1000");
        final Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "echo", new EchoServlet());
        context.addServletMappingDecoded("/*", "echo");
        tomcat.start();
        Told.line(Told.READY, connector.getLocalPort());
        Told.awaitStop();
        tomcat.stop();
        tomcat.destroy();
        Told.counts();
    }
}
