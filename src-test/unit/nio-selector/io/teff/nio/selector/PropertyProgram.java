package io.teff.nio.selector;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;

/** The HTTP server and client of the JDK, over the provider that a system property names. */
final class PropertyProgram {
    private static final int COUNT = 20;

    private PropertyProgram() {}

    public static void main(String[] arguments) throws Exception {
        final HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        server.start();
        final URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        int answers = 0;
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < COUNT; i++) {
                final HttpRequest request = HttpRequest.newBuilder(uri).build();
                answers += client.send(request, HttpResponse.BodyHandlers.ofString()).body().equals("ok") ? 1 : 0;
            }
        }
        server.stop(0);
        final Pipe pipe = Pipe.open();
        pipe.sink().close();
        pipe.source().close();
        try (DatagramChannel datagrams = DatagramChannel.open()) {
            System.out.println("answers " + answers + ", pipes " + datagrams.isOpen());
        }
    }
}
