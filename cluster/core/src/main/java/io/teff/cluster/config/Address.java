package io.teff.cluster.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host and a port.
 *
 * @param host name or address; IPv6 addresses without brackets
 * @param port from 1 to 65,535
 */
public record Address(String host, int port) {
    private static final int PORT_MAX = 65_535;
    private static final Pattern FORM = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+):([0-9]{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]{1,3}){3}|localhost|0*:.*:0*1");
    private static final Pattern WILDCARD = Pattern.compile("0(\\.0){0,3}|[0:]*:[0:]*");

    /**
     * Reads an address.
     *
     * @param text {@code host:port} or {@code [host]:port}
     * @return the address, or null if the text is none
     */
    public static @Nullable Address parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return null;
        }
        int port = Integer.parseInt(form.group(2));
        String host = form.group(1).startsWith("[") ? form.group(1).substring(1, form.group(1).length() - 1)
            : form.group(1);
        return port < 1 || port > PORT_MAX ? null : new Address(host, port);
    }

    /** {@return whether only this machine reaches the address, judged by its text} */
    public boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }

    /** {@return whether the address names all interfaces of a machine, so that no other machine finds it by that} */
    public boolean isWildcard() {
        return WILDCARD.matcher(host).matches();
    }

    /** {@return the address of the transport over TCP} */
    public String tcp() {
        return "tcp:" + this;
    }

    /** {@return {@code host:port}} */
    @Override
    public String toString() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
