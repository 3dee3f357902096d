package io.teff.cluster.console;

import java.util.Map;

/** The limits of the console, so that a stranger's requests cost a bounded number of threads, bytes and seconds. */
final class RequestLimits {
    /** Threads that answer requests. */
    static final int THREADS = 8;
    /** Requests that wait for a thread; further connections are closed. */
    static final int WAITING_MAX = 64;
    /** Connections; further connections are closed. */
    static final int CONNECTIONS_MAX = 64;
    /** Streams of events, each with a thread. */
    static final int STREAMS_MAX = 16;
    /** Bytes of the body of an action. */
    static final int BODY_BYTES_MAX = 1_024;
    /** Characters of an address with its arguments. */
    static final int QUERY_CHARS_MAX = 2_048;
    /** Questions that reach a node, in a second. */
    static final int QUESTIONS_PER_SECOND = 5;
    /** Questions that may come at once, as when a page is opened. */
    static final int QUESTIONS_BURST = 20;
    /** Wrong tokens in a minute, from all addresses together. */
    static final int WRONG_TOKENS_PER_MINUTE = 5;
    /** Seconds until a stream ends; browsers begin a new stream at once. */
    static final int STREAM_S = 50;

    /** Properties of the JDK's server, read once by the process. Times in seconds. */
    private static final Map<String, String> SERVER = Map.of(
        "sun.net.httpserver.maxReqTime", "10",
        "sun.net.httpserver.maxRspTime", "60",
        "sun.net.httpserver.idleInterval", "30",
        "sun.net.httpserver.maxIdleConnections", String.valueOf(CONNECTIONS_MAX),
        "sun.net.httpserver.maxReqHeaders", "50",
        "sun.net.httpserver.maxReqHeaderSize", String.valueOf(16 << 10),
        "sun.net.httpserver.drainAmount", String.valueOf(4 * BODY_BYTES_MAX),
        "sun.net.httpserver.nodelay", "true",
        "jdk.httpserver.maxConnections", String.valueOf(CONNECTIONS_MAX));

    private RequestLimits() {}

    /** Sets the limits of the JDK's server, before its first use. An operator's own value stays. */
    static void apply() {
        SERVER.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }
}
