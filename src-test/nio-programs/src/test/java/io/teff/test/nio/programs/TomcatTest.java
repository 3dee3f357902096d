package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.Form;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tomcat with connections that stay open, and the HTTP client of the JDK in a process without the provider. */
@Tag("processes")
final class TomcatTest {
    private static final Path CURL = Path.of("/usr/bin/curl");
    private static final int CONNECTIONS = Form.size(100, 1_000, 1_000);
    private static final int SECONDS = Form.size(1, 10, 60);
    private static final int PLAIN_REQUESTS = 20;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("io.teff.test.nio.programs.Transports#ofForm")
    void tomcat_withConnectionsThatStayOpen_answersEachRequest(Transports by) throws Exception {
        Program.assumeLinks(folder);
        try (Program server = Program.withProvider(by, folder, TomcatServer.class, folder);
                Program clients = Program.withProvider(by, folder, KeepAliveClient.class, server.port(), CONNECTIONS,
                    by.seconds(SECONDS))) {
            callPlainly(server.port());
            callByCurl(server.port());
            final long answers = Long.parseLong(clients.done());
            assertTrue(answers >= 2L * CONNECTIONS, clients::toString);
            clients.assertLinks(CONNECTIONS);
            server.end();
            server.assertLinks(CONNECTIONS);
            assertTrue(server.count(LinkReason.PLAIN_CLIENT) >= 1, server::toString);
        }
    }

    /** A program in C, if it is installed. */
    private void callByCurl(int port) throws Exception {
        if (Files.isExecutable(CURL)) {
            final String address = "http://127.0.0.1:" + port + "/";
            final Result result = ChildProcess.run(folder, Map.of(), List.of(CURL.toString(), "--silent",
                "--show-error", "--noproxy", "*", "--data", "first", address, "--next", "--silent", "--noproxy", "*",
                "--data", "second", address));
            assertEquals("firstsecond", result.output(), result::toString);
        }
    }

    private static void callPlainly(int port) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < PLAIN_REQUESTS; i++) {
                final String body = "plain " + i;
                final HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                    .version(HttpClient.Version.HTTP_1_1).POST(HttpRequest.BodyPublishers.ofString(body)).build();
                assertEquals(body, client.send(request, HttpResponse.BodyHandlers.ofString()).body());
            }
        }
    }
}
