package io.teff.rdma.transport;

import io.teff.cluster.net.transport.AddressException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An address {@code scheme:host:port}, with an IPv6 address in brackets, and options behind it: {@code
 * scheme:host:port|name=value}.
 *
 * @param scheme in front of the first colon
 * @param target host and port; a host name is unresolved
 * @param options values by name
 */
public record RdmaAddress(String scheme, InetSocketAddress target, SortedMap<String, String> options) {
    private static final int PORT_MAX = 65_535;

    /**
     * Parses an address.
     *
     * @param scheme the required scheme
     * @param known names of the known options
     * @param text the address
     * @return the parts; a host name is not resolved
     * @throws AddressException if the text does not have this form
     */
    public static RdmaAddress parse(String scheme, Iterable<String> known, String text) throws AddressException {
        final String[] parts = text.split("\\|", -1);
        final String head = parts[0];
        final int colon = head.lastIndexOf(':');
        if (!head.startsWith(scheme + ":") || colon <= scheme.length() + 1 || head.indexOf('/') >= 0) {
            throw new AddressException(text + " does not have the form " + scheme + ":host:port");
        }
        final SortedMap<String, String> options = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            addOption(options, known, parts[i], text);
        }
        final String host = head.substring(scheme.length() + 1, colon);
        return new RdmaAddress(scheme, target(host, port(text, head.substring(colon + 1))), options);
    }

    private static void addOption(Map<String, String> options, Iterable<String> known, String part, String text)
            throws AddressException {
        for (String name : known) {
            if (part.startsWith(name + "=") && part.length() > name.length() + 1) {
                if (options.put(name, part.substring(name.length() + 1)) != null) {
                    throw new AddressException(text + " has the option " + name + " twice");
                }
                return;
            }
        }
        throw new AddressException(text + " has the unknown option " + part);
    }

    private static InetSocketAddress target(String host, int port) {
        final boolean isInBrackets = host.startsWith("[") && host.endsWith("]");
        try {
            return new InetSocketAddress(
                InetAddress.ofLiteral(isInBrackets ? host.substring(1, host.length() - 1) : host), port);
        } catch (IllegalArgumentException _) {
            return InetSocketAddress.createUnresolved(host, port);
        }
    }

    private static int port(String text, String digits) throws AddressException {
        try {
            final int port = Integer.parseInt(digits);
            if (port >= 0 && port <= PORT_MAX) {
                return port;
            }
        } catch (NumberFormatException _) {
            throw new AddressException(text + " has no port");
        }
        throw new AddressException(text + " has a port outside of 0 to " + PORT_MAX);
    }

    /** {@return whether the host is an unresolved name} */
    public boolean isNamed() {
        return target.isUnresolved();
    }

    /**
     * Returns host and port; resolves a name, which may wait for seconds.
     *
     * @return resolved
     * @throws IOException if the name is unknown
     */
    public InetSocketAddress resolved() throws IOException {
        return isNamed() ? at(InetAddress.getByName(target.getHostString())) : target;
    }

    /**
     * Returns the port at a host.
     *
     * @param host the address of the name
     * @return resolved
     */
    public InetSocketAddress at(InetAddress host) {
        return new InetSocketAddress(host, target.getPort());
    }

    /**
     * Returns the address under which peers find a listener of this address.
     *
     * @param bound host and port of the listener
     * @return an address with the options of this address
     */
    public String published(InetSocketAddress bound) {
        final StringBuilder text = new StringBuilder(text(scheme, bound));
        options.forEach((name, value) -> text.append('|').append(name).append('=').append(value));
        return text.toString();
    }

    /**
     * Formats an address without options.
     *
     * @param scheme in front
     * @param address resolved
     * @return {@code scheme:host:port}
     */
    public static String text(String scheme, InetSocketAddress address) {
        final String host = address.getAddress().getHostAddress();
        return scheme + ":" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
