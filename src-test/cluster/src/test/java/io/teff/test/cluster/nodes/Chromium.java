package io.teff.test.cluster.nodes;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.kit.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A headless Chromium with one page, by the protocol of its developer tools. */
final class Chromium implements AutoCloseable {
    private static final long PATIENCE_S = 60;
    private static final String LISTENING = "DevTools listening on ws://";

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger last = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<String, Object>>> calls = new ConcurrentHashMap<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();

    /** Receives messages, which may come in parts. */
    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                received(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private Chromium(Process process, String host) throws Exception {
        this.process = process;
        String targets = client.send(HttpRequest.newBuilder(URI.create("http://" + host + "/json/list")).build(),
            HttpResponse.BodyHandlers.ofString()).body();
        Object page = JSON.std.listFrom(targets).stream().map(each -> (Map<?, ?>) each)
            .filter(each -> "page".equals(each.get("type"))).findFirst().orElseThrow().get("webSocketDebuggerUrl");
        socket = client.newWebSocketBuilder().buildAsync(URI.create(String.valueOf(page)), new Messages()).join();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    /** Returns the program; null without one. */
    static Path program() {
        return Stream.of("chromium", "chromium-browser", "google-chrome").map(name -> Path.of("/usr/bin", name))
            .filter(Files::isExecutable).findFirst().orElse(null);
    }

    static Chromium start(Path program, Path profile) throws Exception {
        Process process = new ProcessBuilder(program.toString(), "--headless=new", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
            "--remote-debugging-port=0", "--user-data-dir=" + profile, "about:blank").redirectErrorStream(true).start();
        try (BufferedReader out = process.inputReader()) {
            String line = out.readLine();
            while (line != null && !line.startsWith(LISTENING)) {
                line = out.readLine();
            }
            if (line == null) {
                throw new IOException("chromium has ended");
            }
            String host = line.substring(LISTENING.length(), line.indexOf('/', LISTENING.length()));
            return new Chromium(process, host);
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    @SuppressWarnings("unchecked")
    private void received(String text) {
        try {
            Map<String, Object> message = JSON.std.mapFrom(text);
            if (message.get("id") instanceof Integer id) {
                calls.remove(id).complete(message);
            } else if ("Runtime.exceptionThrown".equals(message.get("method"))
                || "Log.entryAdded".equals(message.get("method"))) {
                faults.add(text);
            }
        } catch (IOException e) {
            faults.add(String.valueOf(e));
        }
    }

    /** Calls a method, and returns its result. */
    @SuppressWarnings("unchecked")
    Map<String, Object> call(String method, Map<String, Object> parameters) throws Exception {
        int id = last.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        calls.put(id, answer);
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", id);
        message.put("method", method);
        message.put("params", parameters);
        socket.sendText(JSON.std.asString(message), true).join();
        Map<String, Object> result = answer.get(PATIENCE_S, TimeUnit.SECONDS);
        if (result.get("error") != null) {
            throw new AssertionError(method + ": " + result.get("error"));
        }
        return (Map<String, Object>) result.get("result");
    }

    void open(String address) throws Exception {
        call("Page.navigate", Map.of("url", address));
    }

    /** Returns the value of an expression of the page. */
    Object value(String expression) throws Exception {
        Map<?, ?> result = (Map<?, ?>) call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true,
            "awaitPromise", true)).get("result");
        return result.get("value");
    }

    /** Waits until an expression of the page is true. */
    void await(String what, String expression) {
        Threads.await(PATIENCE_S, () -> what + ": " + quietly("document.body.innerText.replace(/\\s+/g, ' ')"),
            () -> Boolean.TRUE.equals(quietly("Boolean(" + expression + ")")));
    }

    private Object quietly(String expression) {
        try {
            return value(expression);
        } catch (Exception e) {
            throw new AssertionError(expression, e);
        }
    }

    void size(int width, int height, boolean isDark) throws Exception {
        call("Emulation.setDeviceMetricsOverride", Map.of("width", width, "height", height, "deviceScaleFactor", 1,
            "mobile", width < 600));
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value",
            isDark ? "dark" : "light"))));
    }

    /** Presses a key, as a person does. */
    void key(String name, int code) throws Exception {
        for (String type : List.of("keyDown", "keyUp")) {
            call("Input.dispatchKeyEvent", Map.of("type", type, "key", name, "code", name,
                "windowsVirtualKeyCode", code, "text", name.equals("Enter") && type.equals("keyDown") ? "\r" : ""));
        }
    }

    void shot(Path file) throws Exception {
        String data = (String) call("Page.captureScreenshot", Map.of("format", "png")).get("data");
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(data));
    }

    /** Returns errors of scripts, refusals of the policy, and failed requests. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
        process.destroy();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).handle((_, late) -> late == null ? process
            : process.destroyForcibly()).join();
    }
}
