package io.teff.cluster.aeron;

import io.teff.cluster.net.transport.AddressException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of the scheme {@code aeron}, written like Aeron's channels:
 * <pre>
 *  aeron:udp?endpoint=host:port           an IPv6 address in brackets; port 0 to listen at any
 *  aeron:ipc?stream=number                in one machine, by memory; stream 0, or none, to listen at any
 *  ...|stream=number                      from 1 to 2^31 - 1; of udp it is 1001 if it is not said
 *  ...|driver=folder                      of a media driver that runs already; else the process has its own
 *  ...|term-length=bytes                  power of two, 65,536 to 16,777,216; if it is not said 262,144
 *  ...|mtu=bytes                          multiple of 32, 1,408 to 65,504, at most an eighth of the term
 * </pre>
 *
 * @param host null for ipc
 * @param port 0 to 65,535
 * @param stream 0 to 2^31 - 1
 * @param driver folder of the media driver, null if not given
 * @param termLength bytes
 * @param mtu bytes, 0 if not given
 */
record AeronAddress(@Nullable String host, int port, int stream, @Nullable String driver, int termLength, int mtu) {
    static final String SCHEME = "aeron";
    static final int TERM_BYTES_MAX = 16 << 20;

    private static final String UDP = "aeron:udp?";
    private static final String IPC = "aeron:ipc";
    private static final String LOCALHOST = "localhost";
    private static final int UDP_STREAM = 1001;
    private static final int PORT_MAX = 65_535;
    private static final int TERM_BYTES = 256 << 10;
    private static final int TERM_BYTES_MIN = 64 << 10;
    private static final int MTU_MIN = 1408;
    private static final int MTU_MAX = 65_504;
    private static final int MTU_STEP = 32;
    /** Of links inside a machine: the limit of a term, or of a datagram. */
    private static final int MTU_IPC = 32 << 10;
    private static final int MTU_LOOPBACK = 8 << 10;
    private static final Set<String> KEYS = Set.of("endpoint", "stream", "driver", "term-length", "mtu");

    /** Parses an address, without a look-up. */
    static AeronAddress parse(String address) throws IOException {
        final boolean isUdp = address.startsWith(UDP);
        if (!isUdp && !address.equals(IPC) && !address.startsWith(IPC + "?")) {
            throw new AddressException(address
                + " is not like aeron:udp?endpoint=host:port or aeron:ipc?stream=number");
        }
        final Map<String, String> values = values(address, address.substring(Math.min(UDP.length(),
            address.length())));
        final String endpoint = values.get("endpoint");
        if (isUdp == (endpoint == null)) {
            throw new AddressException(address + " has " + (isUdp ? "no endpoint" : "an endpoint, which ipc has not"));
        }
        final int colon = endpoint == null ? 0 : endpoint.lastIndexOf(':');
        if (endpoint != null && colon < 1) {
            throw new AddressException(address + " has no port");
        }
        final int term = number(address, values, "term-length", TERM_BYTES, TERM_BYTES_MIN, TERM_BYTES_MAX);
        final int mtu = number(address, values, "mtu", 0, MTU_MIN, Math.min(MTU_MAX, term / 8));
        if (Integer.bitCount(term) != 1 || mtu % MTU_STEP != 0) {
            throw new AddressException(address + " has a term-length that is not a power of two, or an mtu that is no"
                + " multiple of " + MTU_STEP);
        }
        final Map<String, String> port = endpoint == null ? Map.of() : Map.of("port", endpoint.substring(colon + 1));
        return new AeronAddress(endpoint == null ? null : endpoint.substring(0, colon),
            number(address, port, "port", 0, 0, PORT_MAX),
            number(address, values, "stream", isUdp ? UDP_STREAM : 0, isUdp ? 1 : 0, Integer.MAX_VALUE),
            values.get("driver"), term, mtu);
    }

    private static Map<String, String> values(String address, String text) throws IOException {
        final Map<String, String> values = new HashMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split("\\|", -1)) {
            final int equals = part.indexOf('=');
            final String key = part.substring(0, Math.max(equals, 0));
            if (!KEYS.contains(key) || equals == part.length() - 1
                || values.put(key, part.substring(equals + 1)) != null) {
                throw new AddressException(address + " has a part that is wrong or said twice: '" + part + "'");
            }
        }
        return values;
    }

    private static int number(String address, Map<String, String> values, String key, int usual, int min, int max)
            throws IOException {
        final String digits = values.get(key);
        if (digits == null) {
            return usual;
        }
        try {
            final int number = Integer.parseInt(digits);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            throw new AddressException(address + " has a " + key + " that is not a number");
        }
        throw new AddressException(address + " has a " + key + " that is not in " + min + " to " + max);
    }

    boolean isIpc() {
        return host == null;
    }

    /** Returns whether only this machine reaches the address, without a look-up: no name but localhost is local. */
    boolean isLocal() {
        final InetAddress number = host == null ? null : number(host);
        return host == null || number != null && number.isLoopbackAddress();
    }

    /** Returns whether the host must be looked up before a connect. */
    boolean isNamed() {
        return host != null && number(host) == null;
    }

    /** Returns the address of a host that is a number or localhost, else null. */
    private static @Nullable InetAddress number(String its) {
        if (its.equals(LOCALHOST)) {
            return InetAddress.getLoopbackAddress();            // RFC 6761, name servers are not asked
        }
        try {
            return InetAddress.ofLiteral(
                its.startsWith("[") && its.endsWith("]") ? its.substring(1, its.length() - 1) : its);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private InetAddress found(String its) throws IOException {
        final InetAddress number = number(its);
        try {
            return number != null ? number : InetAddress.getByName(its);
        } catch (UnknownHostException e) {
            throw unknown(e);
        }
    }

    /** Returns the exception for a host that was not found. */
    IOException unknown(@Nullable IOException why) {
        return new IOException("unknown host of " + this, why);
    }

    /** Returns the address with a number in place of a name, after a look-up of the name. */
    AeronAddress numbered() throws IOException {
        return host == null || !isNamed() && !host.equals(LOCALHOST) ? this : numbered(found(host));
    }

    /** Returns the address with a number in place of a name. */
    AeronAddress numbered(InetAddress found) {
        final String number = found.getHostAddress();
        return at(found instanceof Inet6Address ? "[" + number + "]" : number, port);
    }

    AeronAddress withStream(int other) {
        return new AeronAddress(host, port, other, driver, termLength, mtu);
    }

    AeronAddress withDriver(@Nullable String other) {
        return new AeronAddress(host, port, stream, other, termLength, mtu);
    }

    /** Returns where this machine can be reached from this address. The address has a number, not a name. */
    AeronAddress answering() throws IOException {
        if (host == null) {
            return this;
        }
        final InetAddress found = found(host);
        return at(found.isLoopbackAddress() ? host : found instanceof Inet6Address ? "[::]" : "0.0.0.0", 0);
    }

    AeronAddress at(String otherHost, int otherPort) {
        return new AeronAddress(otherHost, otherPort, stream, driver, termLength, mtu);
    }

    /** Returns Aeron's channel for a receiver. */
    String receiving() {
        return channel("");
    }

    /** Returns Aeron's channel for a receiver of one session. */
    String receiving(int session) {
        return channel("session-id=" + session);
    }

    /** Returns Aeron's channel for a sender; the address is numbered. */
    String sending() {
        final int usual = host == null ? MTU_IPC : isLocal() ? MTU_LOOPBACK : MTU_MIN;
        return channel("term-length=" + termLength + "|mtu=" + (mtu != 0 ? mtu : Math.min(usual, termLength / 8)));
    }

    /** Returns Aeron's channel for a sender of one session. */
    String sending(int session) {
        return sending() + "|session-id=" + session;
    }

    private String channel(String more) {
        if (host == null) {
            return more.isEmpty() ? IPC : IPC + "?" + more;
        }
        return UDP + "endpoint=" + host + ":" + port + (more.isEmpty() ? "" : "|" + more);
    }

    @Override
    public String toString() {
        return (host == null ? IPC + "?" : UDP + "endpoint=" + host + ":" + port + "|") + "stream=" + stream
            + (termLength == TERM_BYTES ? "" : "|term-length=" + termLength) + (mtu == 0 ? "" : "|mtu=" + mtu)
            + (driver == null ? "" : "|driver=" + driver);
    }

    /** Returns the port of an endpoint as Aeron writes it. */
    static int portOf(String endpoint) {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }
}
