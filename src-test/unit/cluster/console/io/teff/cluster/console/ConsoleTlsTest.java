package io.teff.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.test.kit.PemFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: with {@code https} nothing is readable in clear, and a browser needs no certificate of its own. */
final class ConsoleTlsTest {
    @TempDir
    private Path folder;

    @Test
    void https_servesByTheCertificateOfTheNode_andNothingInClear() throws Exception {
        PemFiles files = PemFiles.make(folder, "node", "-keyalg", "EC", "-groupname", "secp256r1");
        SSLContext tls = ClientConfig.builder("tcp:127.0.0.1:1").tls(files.key(), files.certificate(),
            files.certificate()).build().tls();
        try (Console console = new FakeCluster().console(URI.create("https://localhost:0"), tls, null)) {
            HttpsURLConnection connection = (HttpsURLConnection) URI.create(console.address() + "/api/state").toURL()
                .openConnection();
            connection.setSSLSocketFactory(tls.getSocketFactory());
            connection.setHostnameVerifier((_, _) -> true);
            assertEquals(200, connection.getResponseCode());
            assertTrue(new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .startsWith("{\"atMs\":"));
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.address().getPort())) {
                socket.getOutputStream().write(("GET /api/state HTTP/1.1\r\nHost: localhost:"
                    + console.address().getPort() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                byte[] answer = socket.getInputStream().readNBytes(1_000);
                assertTrue(!new String(answer, StandardCharsets.ISO_8859_1).contains("HTTP"), "no answer in clear");
            } catch (IOException _) {
                return;                                         // the console has closed the connection
            }
        }
    }

    @Test
    void address_inUse_isAnException_andNothingStaysOpen() throws Exception {
        FakeCluster cluster = new FakeCluster();
        try (Console first = cluster.console()) {
            assertThrows(IOException.class, () -> cluster.console(first.address(), null, null));
            assertEquals(200, FakeCluster.get(first, "/").statusCode());
        }
    }
}
