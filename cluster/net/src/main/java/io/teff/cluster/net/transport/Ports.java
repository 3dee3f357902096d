package io.teff.cluster.net.transport;

/** Ports in addresses of the form {@code scheme:host:port}. Options may follow behind a {@code |}. */
public final class Ports {
    private static final int PORT_MAX = 65_535;

    private Ports() {}

    private static int end(String address) {
        final int bar = address.indexOf('|');
        return bar < 0 ? address.length() : bar;
    }

    private static int begin(String address) {
        return address.lastIndexOf(':', end(address)) + 1;
    }

    /**
     * Reads the port.
     *
     * @param address of the form
     * @return the port
     * @throws AddressException if the address has no port
     */
    public static int of(String address) throws AddressException {
        try {
            final int port = Integer.parseInt(address.substring(begin(address), end(address)));
            if (port >= 0 && port <= PORT_MAX) {
                return port;
            }
        } catch (NumberFormatException _) {
            throw new AddressException(address + " has no port");
        }
        throw new AddressException(address + " has a port outside of 0 to " + PORT_MAX);
    }

    /**
     * Replaces the port.
     *
     * @param address of the form
     * @param port from 0 to 65,535
     * @return the address with the new port
     * @throws AddressException if the address has no port
     */
    public static String with(String address, int port) throws AddressException {
        assert of(address) >= 0 : address;
        return address.substring(0, begin(address)) + port + address.substring(end(address));
    }
}
