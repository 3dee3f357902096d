package io.teff.cluster.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that are none of the console's page: requests for another host, as after a rebinding of DNS, and
 * requests that pages of other origins make a browser send. Immutable.
 */
final class Guard {
    private static final String GET = "GET";
    private static final String HEAD = "HEAD";
    private static final String POST = "POST";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final Set<String> hosts = new HashSet<>();
    private final Set<String> origins = new HashSet<>();

    /** A refusal. */
    record Refusal(int code, String text) {}

    /** Makes the guard of an address. */
    Guard(URI address) {
        String host = address.getHost().toLowerCase(Locale.ROOT);
        for (String name : LOOPBACK.contains(host) ? LOOPBACK : Set.of(host)) {
            hosts.add(name + ":" + address.getPort());
            origins.add(address.getScheme() + "://" + name + ":" + address.getPort());
        }
    }

    /** Returns why a request is refused, or null. */
    @Nullable Refusal refusal(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        String method = exchange.getRequestMethod();
        if (!isOne(headers.get("Host"), hosts)) {
            return new Refusal(421, "this is the console of another host; its address is in the node's configuration");
        }
        if (headers.get("Origin") != null && !isOne(headers.get("Origin"), origins)) {
            return new Refusal(403, "pages of other origins may not use the console");
        }
        if (exchange.getRequestURI().toString().length() > RequestLimits.QUERY_CHARS_MAX) {
            return new Refusal(414, "the address is too long");
        }
        if (exchange.getRequestURI().getScheme() != null || exchange.getRequestURI().getRawAuthority() != null) {
            return new Refusal(400, "a request names a path");
        }
        return switch (method) {
            case GET, HEAD -> hasBody(headers) ? new Refusal(400, "a question has no body") : null;
            case POST -> headers.get("Origin") != null ? null
                : new Refusal(403, "an action comes from the console's page");
            default -> new Refusal(405, "allowed: GET, HEAD, POST");
        };
    }

    private static boolean isOne(@Nullable List<String> values, Set<String> allowed) {
        return values != null && values.size() == 1 && allowed.contains(values.getFirst().toLowerCase(Locale.ROOT));
    }

    private static boolean hasBody(Headers headers) {
        String length = headers.getFirst("Content-Length");
        return headers.getFirst("Transfer-Encoding") != null || length != null && !length.strip().equals("0");
    }
}
