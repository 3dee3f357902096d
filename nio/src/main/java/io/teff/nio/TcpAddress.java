package io.teff.nio;

import io.teff.cluster.net.transport.AddressException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Addresses of the scheme {@code tcp}: {@code tcp:host:port}, an IPv6 address in brackets. */
final class TcpAddress {
    private static final String SCHEME = "tcp:";
    private static final int PORT_MAX = 65_535;

    private TcpAddress() {}

    /** Reads an address; looks its host up if it is a name. */
    static InetSocketAddress parse(String address) throws IOException {
        final int colon = address.lastIndexOf(':');
        if (!address.startsWith(SCHEME) || colon < SCHEME.length()) {
            throw new AddressException(address + " is not like tcp:host:port");
        }
        final String host = address.substring(SCHEME.length(), colon);
        final InetSocketAddress found = new InetSocketAddress(
            host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host,
            port(address, address.substring(colon + 1)));
        if (found.isUnresolved()) {
            throw new UnknownHostException("nobody knows the host of " + address);
        }
        return found;
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
        throw new AddressException(address + " has no port of 0 to " + PORT_MAX);
    }

    /** Writes an address. */
    static String of(InetSocketAddress address) {
        final String host = address.getAddress().getHostAddress();
        return SCHEME + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
