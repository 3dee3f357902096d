package io.teff.nio;

import io.teff.cluster.net.transport.AddressException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses of the scheme {@code tcp}: {@code tcp:host:port}, with an IPv6 address in brackets. */
final class TcpAddress {
    private static final String SCHEME = "tcp:";
    private static final int PORT_MAX = 65_535;

    private TcpAddress() {}

    /** Parses an address and resolves its host. May block for seconds. */
    static InetSocketAddress parse(String address) throws IOException {
        final InetSocketAddress read = read(address);
        return read.isUnresolved() ? found(read, InetAddress.getByName(read.getHostString())) : read;
    }

    /** Parses an address; a host name stays unresolved. */
    static InetSocketAddress read(String address) throws IOException {
        final int colon = address.lastIndexOf(':');
        if (!address.startsWith(SCHEME) || colon <= SCHEME.length() || address.indexOf('/') >= 0) {
            throw new AddressException(address + " does not have the form tcp:host:port");
        }
        final String host = address.substring(SCHEME.length(), colon);
        final int port = port(address, address.substring(colon + 1));
        final boolean isInBrackets = host.startsWith("[") && host.endsWith("]");
        try {
            return new InetSocketAddress(
                InetAddress.ofLiteral(isInBrackets ? host.substring(1, host.length() - 1) : host), port);
        } catch (IllegalArgumentException _) {
            return InetSocketAddress.createUnresolved(host, port);
        }
    }

    /** Returns the resolved address. */
    static InetSocketAddress found(InetSocketAddress unresolved, InetAddress host) {
        return new InetSocketAddress(host, unresolved.getPort());
    }

    private static int port(String address, String digits) throws IOException {
        try {
            final int port = Integer.parseInt(digits);
            if (port >= 0 && port <= PORT_MAX) {
                return port;
            }
        } catch (NumberFormatException _) {
            throw new AddressException(address + " has no port");
        }
        throw new AddressException(address + " has a port outside of 0 to " + PORT_MAX);
    }

    /** Formats an address. */
    static String of(InetSocketAddress address) {
        final String host = address.getAddress().getHostAddress();
        return SCHEME + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
