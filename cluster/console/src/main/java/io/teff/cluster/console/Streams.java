package io.teff.cluster.console;

import com.sun.net.httpserver.HttpExchange;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Streams of server-sent events. Each stream sends the picture every two seconds, and each change at once. A stream
 * ends after a time, and the browser begins a new stream. So a reader that does not read keeps a thread for a bounded
 * time. Thread-safe.
 */
final class Streams implements AutoCloseable {
    private static final int CHANGES_MAX = 256;

    private final Texts texts;
    private final Clock clock;
    private final Threads threads;
    private final System.Logger log;
    private final Semaphore places = new Semaphore(RequestLimits.STREAMS_MAX);
    private final Set<Stream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    Streams(Texts texts, ConsoleSetup setup) {
        this.texts = texts;
        clock = setup.clock();
        threads = setup.threads();
        log = setup.log();
    }

    /** Takes a place for a stream. Returns whether there was one. */
    boolean enter() {
        return !isClosed && places.tryAcquire();
    }

    /** Begins a stream at a place, and returns. The head of the answer was sent. */
    void begin(HttpExchange exchange) {
        Stream stream = new Stream(exchange);
        open.add(stream);
        threads.start("teff-console-stream", stream::run);
    }

    /** Gives a place back that has no stream. */
    void leave() {
        places.release();
    }

    /** Sends a change to all streams. */
    void change(RecoveryTimeline.Change change) {
        String event = event("change", ConsoleJson.of(change.json()));
        open.forEach(stream -> stream.offer(event));
    }

    private static String event(String name, String json) {
        return "event: " + name + "\ndata: " + json + "\n\n";
    }

    /** A stream of a browser. */
    private final class Stream {
        private final HttpExchange exchange;
        private final BlockingQueue<String> changes = new ArrayBlockingQueue<>(CHANGES_MAX);

        Stream(HttpExchange exchange) {
            this.exchange = exchange;
        }

        void offer(String event) {
            var _ = changes.offer(event);                       // the next picture has what has no room
        }

        void run() {
            try (OutputStream out = exchange.getResponseBody()) {
                long endNs = clock.nowNs() + TimeUnit.SECONDS.toNanos(RequestLimits.STREAM_S);
                long nextNs = clock.nowNs();
                send(out, "retry: 1000\n\n");
                while (!isClosed && clock.nowNs() - endNs < 0) {
                    if (clock.nowNs() - nextNs >= 0) {
                        send(out, event("state", texts.state()));
                        nextNs = clock.nowNs() + Picture.AGE_NS;
                    }
                    String event = changes.poll(Math.max(nextNs - clock.nowNs(), 1), TimeUnit.NANOSECONDS);
                    if (event != null) {
                        send(out, event);
                    }
                }
            } catch (IOException _) {
                return;                                         // the browser has gone
            } catch (InterruptedException _) {
                return;                                         // these threads are never interrupted
            } catch (RuntimeException e) {
                log.log(System.Logger.Level.WARNING, "console: a stream has failed: " + FailureText.of(e));
            } finally {
                open.remove(this);
                places.release();
                exchange.close();
            }
        }

        private static void send(OutputStream out, String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /** Ends all streams within a few seconds. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        open.forEach(stream -> stream.offer(": the console ends\n\n"));
    }
}
