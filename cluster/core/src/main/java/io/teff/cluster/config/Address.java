package io.teff.cluster.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host, a port, and the transport used there.
 *
 * @param transport scheme of the transport: tcp, ucx or verbs
 * @param host name or address; IPv6 addresses without brackets
 * @param port from 1 to 65,535
 */
public record Address(String transport, String host, int port) {
    /** The transport of an address without a transport. */
    public static final String TCP = "tcp";

    private static final int PORT_MAX = 65_535;
    private static final Pattern FORM =
        Pattern.compile("(?:(tcp|ucx|verbs):)?(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+):([0-9]{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]{1,3}){3}|localhost|0*:.*:0*1");
    private static final Pattern WILDCARD = Pattern.compile("0(\\.0){0,3}|[0:]*:[0:]*");

    /**
     * Makes an address of TCP.
     *
     * @param host name or address; IPv6 addresses without brackets
     * @param port from 1 to 65,535
     */
    public Address(String host, int port) {
        this(TCP, host, port);
    }

    /**
     * Reads an address.
     *
     * @param text {@code host:port} or {@code [host]:port}; {@code tcp:}, {@code ucx:} or {@code verbs:} in front names
     *     the transport. TCP is the default
     * @return the address, or null if the text is no address
     */
    public static @Nullable Address parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return null;
        }
        int port = Integer.parseInt(form.group(3));
        String host = form.group(2).startsWith("[") ? form.group(2).substring(1, form.group(2).length() - 1)
            : form.group(2);
        String transport = form.group(1) == null ? TCP : form.group(1);
        return port < 1 || port > PORT_MAX ? null : new Address(transport, host, port);
    }

    /** {@return whether only this machine reaches the address, judged by its text} */
    public boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }

    /** {@return whether the address names all interfaces of a machine, so that no other machine finds it by that} */
    public boolean isWildcard() {
        return WILDCARD.matcher(host).matches();
    }

    /** {@return whether the transport is TCP} */
    public boolean isTcp() {
        return transport.equals(TCP);
    }

    /** {@return the address for the transport, such as {@code tcp:host:port}} */
    public String link() {
        return transport + ":" + place();
    }

    private String place() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }

    /** {@return {@code host:port}; with the transport in front, unless the transport is TCP} */
    @Override
    public String toString() {
        return isTcp() ? place() : link();
    }
}
