package io.teff.nio.selector.side;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The networks in which a program looks for side ports. A program that connects to an address outside of the networks
 * sends nothing to a side port there.
 */
public final class SideNetworks {
    /** Private addresses: 10/8, 172.16/12, 192.168/16, 169.254/16, fc00::/7, fe80::/10. */
    public static final String PRIVATE = "private";
    /** All addresses. */
    public static final String ANY = "any";
    private static final int LOCAL_MASK = 0xFE;
    private static final int LOCAL_PREFIX = 0xFC;

    private record Network(byte[] address, int bits) {
        private boolean contains(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                final int mask = 0x80 >>> (bit & 7);
                if (((address[bit >>> 3] ^ other[bit >>> 3]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private final String text;
    private final boolean isAny;
    private final boolean isPrivate;
    private final List<Network> networks = new ArrayList<>();

    private SideNetworks(String text) {
        this.text = text;
        boolean hasAny = false;
        boolean hasPrivate = false;
        for (String part : text.split(",")) {
            final String word = part.strip();
            hasAny |= word.equals(ANY);
            hasPrivate |= word.equals(PRIVATE);
            if (!word.equals(ANY) && !word.equals(PRIVATE)) {
                networks.add(network(word));
            }
        }
        isAny = hasAny;
        isPrivate = hasPrivate;
    }

    /**
     * Reads a list of networks.
     *
     * @param text parts with commas between them: {@code private}, {@code any}, an address, or an address with the
     *     number of its fixed bits, such as {@code 10.7.0.0/16}
     * @throws IllegalArgumentException if a part is none of them
     */
    public static SideNetworks of(String text) {
        return new SideNetworks(text);
    }

    private static Network network(String word) {
        final String[] parts = word.split("/", -1);
        try {
            final byte[] address = InetAddress.ofLiteral(parts[0]).getAddress();
            final int all = address.length * Byte.SIZE;
            final int bits = parts.length == 1 ? all : Integer.parseInt(parts[1]);
            if (parts.length <= 2 && bits >= 0 && bits <= all) {
                return new Network(address, bits);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("network " + word, e);
        }
        throw new IllegalArgumentException("network " + word);
    }

    /** {@return whether an address is within the networks} */
    public boolean contains(InetAddress address) {
        final byte[] bytes = address.getAddress();
        return isAny || isPrivate && isPrivate(address, bytes)
            || networks.stream().anyMatch(network -> network.contains(bytes));
    }

    private static boolean isPrivate(InetAddress address, byte[] bytes) {
        return address.isLinkLocalAddress()
            || (address instanceof Inet4Address ? address.isSiteLocalAddress()
                : (bytes[0] & LOCAL_MASK) == LOCAL_PREFIX);
    }

    @Override
    public String toString() {
        return text;
    }
}
