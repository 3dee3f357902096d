package io.teff.cluster.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** The server of a console: guards each request, routes it, and answers. Thread-safe. */
final class ConsoleServer implements AutoCloseable {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
        + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final String JSON = "application/json; charset=utf-8";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final long NOTHING = -1;
    private static final long CHUNKED = 0;
    private static final int IDLE_S = 30;

    private final HttpServer server;
    private final ThreadPoolExecutor pool;
    private final URI address;
    private final Guard guard;
    private final Texts texts;
    private final Streams streams;
    private final Questions questions;
    private final Actions actions;
    private final Pages pages = Pages.load();
    private final System.Logger log;

    private ConsoleServer(ConsoleSetup setup, Picture picture, Texts texts, Streams streams, HttpServer server) {
        this.server = server;
        this.streams = streams;
        this.texts = texts;
        log = setup.log();
        questions = new Questions(setup, picture);
        actions = new Actions(setup, picture);
        URI asked = setup.address();
        address = URI.create(asked.getScheme() + "://" + asked.getHost() + ":" + server.getAddress().getPort());
        guard = new Guard(address);
        pool = new ThreadPoolExecutor(RequestLimits.THREADS, RequestLimits.THREADS, IDLE_S, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(RequestLimits.WAITING_MAX), task -> setup.threads().create("teff-console", task));
        pool.allowCoreThreadTimeOut(true);
    }

    static ConsoleServer start(ConsoleSetup setup, Picture picture, Texts texts, Streams streams)
        throws IOException {
        URI asked = setup.address();
        InetSocketAddress at = new InetSocketAddress(InetAddress.getByName(asked.getHost()), asked.getPort());
        HttpServer server;
        SSLContext tls = setup.tls();
        if (tls == null) {
            server = HttpServer.create(at, RequestLimits.WAITING_MAX);
        } else {
            HttpsServer secure = HttpsServer.create(at, RequestLimits.WAITING_MAX);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
        }
        ConsoleServer console = new ConsoleServer(setup, picture, texts, streams, server);
        server.setExecutor(console.pool);
        server.createContext("/", console::handle);
        server.start();
        return console;
    }

    URI address() {
        return address;
    }

    // ---- a request ----

    private void handle(HttpExchange exchange) throws IOException {
        boolean isStream = false;
        try {
            addHeaders(exchange.getResponseHeaders());
            Guard.Refusal refusal = guard.refusal(exchange);
            if (refusal != null) {
                // a refused sender may send for ever, so the connection does not go on
                exchange.getResponseHeaders().set("Connection", "close");
                answer(exchange, refusal.code(), TEXT, refusal.text() + '\n');
            } else if (exchange.getRequestMethod().equals("POST")) {
                act(exchange);
            } else {
                isStream = ask(exchange);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException e) {
            log.log(System.Logger.Level.WARNING, "console: a request has failed: " + FailureText.of(e));
            answer(exchange, 500, TEXT, "the request has failed; the node's log says why\n");
        } finally {
            if (!isStream) {
                exchange.close();
            }
        }
    }

    private static void addHeaders(Headers headers) {
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    /** Answers a question. Returns whether the exchange goes on as a stream. */
    private boolean ask(HttpExchange exchange) throws IOException {
        String path = Objects.requireNonNullElse(exchange.getRequestURI().getPath(), "");
        switch (path) {
            case "/metrics" -> {
                boolean isOpen = Meters.isOpenMetrics(exchange.getRequestHeaders().getFirst("Accept"));
                answer(exchange, 200, isOpen ? Meters.OPEN_METRICS : Meters.PLAIN, texts.metrics(isOpen));
            }
            case "/api/state" -> answer(exchange, 200, JSON, texts.state());
            case "/api/events" -> {
                return stream(exchange);
            }
            default -> {
                Pages.Page page = pages.at(path);
                if (page != null) {
                    answer(exchange, 200, page.type(), page.bytes());
                } else {
                    Questions.Reply reply = questions.answer(path, exchange.getRequestURI().getRawQuery());
                    answer(exchange, reply.code(), reply.code() == 200 ? JSON : TEXT, reply.text() + '\n');
                }
            }
        }
        return false;
    }

    private boolean stream(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            answer(exchange, 405, TEXT, "");
            return false;
        }
        if (!streams.enter()) {
            answer(exchange, 503, TEXT, "too many browsers\n");
            return false;
        }
        boolean isBegun = false;
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, CHUNKED);
            streams.begin(exchange);
            isBegun = true;
        } finally {
            if (!isBegun) {
                streams.leave();
            }
        }
        return true;
    }

    private void act(HttpExchange exchange) throws IOException {
        if (!"/api/action".equals(exchange.getRequestURI().getPath())) {
            answer(exchange, 404, TEXT, "there is no such action\n");
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(RequestLimits.BODY_BYTES_MAX + 1);
        if (body.length > RequestLimits.BODY_BYTES_MAX) {
            exchange.getResponseHeaders().set("Connection", "close");
            answer(exchange, 413, TEXT, "the action is too long\n");
            return;
        }
        Actions.Result result = actions.run(exchange.getRequestHeaders().getFirst("Authorization"),
            new String(body, StandardCharsets.UTF_8), String.valueOf(exchange.getRemoteAddress()));
        answer(exchange, result.code(), TEXT, result.text() + '\n');
    }

    private static void answer(HttpExchange exchange, int code, String type, String text) throws IOException {
        answer(exchange, code, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int code, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean isHead = exchange.getRequestMethod().equals("HEAD") || bytes.length == 0;
        exchange.sendResponseHeaders(code, isHead ? NOTHING : bytes.length);
        if (!isHead) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Ends the server at once. Idempotent. */
    @Override
    public void close() {
        server.stop(0);
        pool.shutdown();
    }
}
