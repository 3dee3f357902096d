package io.teff.cluster.terminal.config;

/** Addresses of nodes as people read them. */
public final class AddressText {
    private static final String TCP = "tcp:";

    private AddressText() {}

    /**
     * {@return an address without the transport, if the transport is TCP}
     *
     * @param address with the transport, such as {@code tcp:127.0.0.1:7400}
     */
    public static String of(String address) {
        return address.startsWith(TCP) ? address.substring(TCP.length()) : address;
    }
}
