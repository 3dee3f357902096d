package io.teff.cluster.node;

import io.teff.cluster.admin.NodeOption;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the address of a console. */
final class ConsoleAddress {
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final Set<String> WILDCARD = Set.of("0.0.0.0", "[::]");
    private static final int PORT_MAX = 65_535;

    private ConsoleAddress() {}

    /** Returns what is wrong with an address, or null. */
    static @Nullable String fault(String text, boolean hasTls) {
        URI address;
        try {
            address = new URI(text);
        } catch (URISyntaxException _) {
            return "'" + text + "' is no address";
        }
        String host = address.getHost();
        String scheme = address.getScheme();
        if (host == null || scheme == null || address.getPort() < 1 || address.getPort() > PORT_MAX
            || !text.equalsIgnoreCase(scheme + "://" + host + ":" + address.getPort())) {
            return "'" + text + "' is no address of this form";
        }
        if (WILDCARD.contains(host)) {
            return "browsers need the name of one host, and " + host + " is none";
        }
        return switch (scheme.toLowerCase(Locale.ROOT)) {
            case "https" -> hasTls ? null : "https needs " + NodeOption.TLS_KEY.key();
            case "http" -> LOOPBACK.contains(host.toLowerCase(Locale.ROOT)) ? null
                : "other machines reach " + host + ", so https is needed";
            default -> "'" + scheme + "' is neither https nor http";
        };
    }
}
