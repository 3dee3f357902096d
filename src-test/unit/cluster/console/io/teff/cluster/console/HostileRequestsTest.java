package io.teff.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: what a stranger sends to a console reads nothing that it must not, changes nothing, and costs nothing. */
final class HostileRequestsTest {
    private static final int TIMEOUT_MS = 20_000;
    private static final String WAITING = "{\"action\":\"accept-loss\",\"zone\":3,\"epoch\":5,"
        + "\"confirm\":\"accept loss of zone 3\"}";

    private final FakeCluster cluster = new FakeCluster();
    private Console console;

    @BeforeEach
    void start() throws IOException {
        cluster.zones = List.of(FakeCluster.waiting(3, FakeCluster.TWO));
        console = cluster.console();
    }

    @AfterEach
    void end() throws Exception {
        assertEquals(200, FakeCluster.get(console, "/api/state").statusCode(), "the console answers afterwards");
        assertTrue(cluster.accepted.isEmpty());
        console.close();
    }

    private String send(String request) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readNBytes(1 << 16), StandardCharsets.UTF_8);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.address().getPort());
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private String request(String head, String... fields) {
        return head + " HTTP/1.1\r\nHost: " + console.address().getAuthority() + "\r\nConnection: close\r\n"
            + String.join("", List.of(fields).stream().map(field -> field + "\r\n").toList()) + "\r\n";
    }

    /** A page of an attacker whose name leads to 127.0.0.1 sends the attacker's name as host. */
    @ParameterizedTest
    @ValueSource(strings = {"evil.example:%d", "127.0.0.1.evil.example:%d", "evil.example", "127.0.0.1:1", "",
        "127.0.0.1:%d, evil.example", "evil.example@127.0.0.1:%d"})
    void host_ofAnother_isMisdirected(String host) throws IOException {
        String name = host.formatted(console.address().getPort());
        for (String path : List.of("/", "/api/state", "/metrics", "/api/events")) {
            String answer = send("GET " + path + " HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 421"), () -> host + ": " + answer);
        }
        assertEquals(0, cluster.looks.get(), "no look at the cluster for a stranger");
    }

    @Test
    void host_missingOrTwice_isRefused() throws IOException {
        assertTrue(send("GET /api/state HTTP/1.1\r\nConnection: close\r\n\r\n").startsWith("HTTP/1.1 4"));
        assertTrue(send(request("GET /api/state", "Host: evil.example")).startsWith("HTTP/1.1 4"));
        assertTrue(send("GET /api/state HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 4"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:%d"})
    void origin_ofAnother_isRefused(String origin) throws IOException {
        String field = "Origin: " + origin.formatted(console.address().getPort());
        assertTrue(send(request("GET /api/state", field)).startsWith("HTTP/1.1 403"), field);
        assertTrue(send(request("POST /api/action", field, "Authorization: Bearer " + FakeCluster.TOKEN,
            "Content-Length: 0")).startsWith("HTTP/1.1 403"), field);
    }

    @Test
    void action_withoutOrigin_isRefused_andWithAWrongToken() throws Exception {
        String body = WAITING;
        String length = "Content-Length: " + body.length();
        String right = "Authorization: Bearer " + FakeCluster.TOKEN;
        String origin = "Origin: " + console.address();
        assertTrue(send(request("POST /api/action", length, right) + body).startsWith("HTTP/1.1 403"));
        assertTrue(send(request("POST /api/action", length, origin) + body).startsWith("HTTP/1.1 401"));
        for (int i = 0; i < RequestLimits.WRONG_TOKENS_PER_MINUTE - 1; i++) {
            assertTrue(send(request("POST /api/action", length, origin, "Authorization: Bearer guess" + i) + body)
                .startsWith("HTTP/1.1 401"));
        }
        assertTrue(send(request("POST /api/action", length, origin, right) + body).startsWith("HTTP/1.1 429"),
            "after many guesses even the right token waits");
    }

    @ParameterizedTest
    @CsvSource({"/../../etc/passwd, 404", "/%2e%2e/%2e%2e/etc/passwd, 404", "/page/index.html, 404",
        "/console.js/, 404", "//evil.example/, 400", "/api/, 404", "http://evil.example/, 400",
        "/api/history, 400", "/api/log?nid=x, 400",
        "/api/log?nid=%zz, 400", "/api/entries?name=a&kind=map&count=many, 400", "/api/chunk, 400"})
    void path_toNothing_isNotFound(String path, int code) throws IOException {
        String answer = send(request("GET " + path));
        assertTrue(answer.startsWith("HTTP/1.1 " + code), () -> path + ": " + answer);
        assertFalse(answer.contains("root:"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "TRACE", "OPTIONS", "CONNECT", "PROPFIND", "get"})
    void method_unknown_isRefused(String method) throws IOException {
        String answer = send(request(method + " /api/state"));
        assertTrue(answer.startsWith("HTTP/1.1 4"), () -> method + ": " + answer);
    }

    @Test
    void sizes_beyondTheLimits_areRefused() throws IOException {
        String origin = "Origin: " + console.address();
        assertTrue(send(request("GET /?" + "a".repeat(RequestLimits.QUERY_CHARS_MAX))).startsWith("HTTP/1.1 414"));
        assertTrue(send(request("GET /api/state", "Content-Length: 5") + "hello").startsWith("HTTP/1.1 400"));
        assertTrue(send(request("POST /api/action", origin, "Content-Length: 2000") + "a".repeat(2000))
            .startsWith("HTTP/1.1 413"));
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            many.append("X-").append(i).append(": a\r\n");
        }
        refusedOrClosed(request("GET /", many.toString().strip()));
        refusedOrClosed(request("GET mailto:x"));
        refusedOrClosed(request("GET /", "X-Long: " + "a".repeat(1 << 20)));
    }

    private void refusedOrClosed(String request) {
        String answer;
        try {
            answer = send(request);
        } catch (IOException _) {
            return;                                             // closed while the request was being sent
        }
        assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 4"), answer);
    }

    @Test
    void noise_onTheWire_isNoRequest() throws IOException {
        SplittableRandom random = Seed.random(Seed.first());
        for (int i = 0; i < 50; i++) {
            byte[] noise = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(noise);
            try (Socket socket = connect()) {
                socket.getOutputStream().write(noise);
                socket.shutdownOutput();
                socket.getInputStream().readNBytes(100);
            } catch (IOException _) {
                continue;                                       // the console has closed the connection
            }
        }
        assertTrue(cluster.questions.isEmpty());
    }

    /** Many connections that say nothing, and streams of readers that do not read. */
    @Test
    void connections_manyAndSilent_leaveTheConsoleUsable() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < RequestLimits.STREAMS_MAX + 4; i++) {
                Socket socket = connect();
                open.add(socket);
                socket.getOutputStream().write(request("GET /api/events").getBytes(StandardCharsets.US_ASCII));
            }
            for (int i = 0; i < 20; i++) {
                open.add(connect());
            }
            int looks = cluster.looks.get();
            assertEquals(200, FakeCluster.get(console, "/api/state").statusCode());
            Threads.await("a stream is refused", () -> {
                try {
                    return FakeCluster.get(console, "/api/events").statusCode() == 503;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            assertTrue(cluster.looks.get() - looks <= 3, "looks at the cluster: " + (cluster.looks.get() - looks));
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void questions_tooMany_areRefused_andReachNoNode() throws Exception {
        int refused = 0;
        for (int i = 0; i < 4 * RequestLimits.QUESTIONS_BURST; i++) {
            refused += FakeCluster.get(console, "/api/collections").statusCode() == 429 ? 1 : 0;
        }
        assertTrue(refused > 0, "refused: " + refused);
        assertTrue(cluster.questions.size() <= 4 * RequestLimits.QUESTIONS_BURST - refused);
        int looks = cluster.looks.get();
        for (int i = 0; i < 30; i++) {
            assertEquals(200, FakeCluster.get(console, "/metrics").statusCode());
        }
        assertTrue(cluster.looks.get() - looks <= 10, "looks: " + (cluster.looks.get() - looks));
    }
}
