package io.teff.cluster.net.identity;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The identity of a cluster: 128 random bits drawn when the cluster is founded, and the name given by its operators.
 *
 * <p>A node that does not know its cluster yet has an id of zeros, and perhaps the name of the cluster that it expects.
 * Addresses say where to look for a node, and never which cluster answers: only the identity does.
 *
 * @param high first half of the id
 * @param low second half of the id
 * @param name of the cluster, or the expected name if the id is unknown; empty for none
 */
public record ClusterId(long high, long low, String name) {
    /** The longest name. */
    public static final int NAME_MAX = 32;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{0," + NAME_MAX + '}');

    /** No cluster, and no expectation. */
    public static final ClusterId NONE = new ClusterId(0, 0, "");

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name has more than {@value #NAME_MAX} characters, or characters other
     *     than letters and digits of ASCII, dots, hyphens and underscores
     */
    public ClusterId {
        if (!isName(name)) {
            throw new IllegalArgumentException("the name of a cluster has at most " + NAME_MAX
                + " characters: letters, digits, '.', '-' and '_'");
        }
    }

    /**
     * Returns the identity of a node that does not know its cluster.
     *
     * @param name the expected name; empty if the node takes any cluster
     * @return the identity
     */
    public static ClusterId expected(String name) {
        return new ClusterId(0, 0, name);
    }

    /**
     * {@return whether a text may be the name of a cluster; an empty text means no name}
     *
     * @param text any text, also an empty one
     */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** {@return whether the id is known} */
    public boolean isKnown() {
        return (high | low) != 0;
    }

    /**
     * Returns whether two nodes may be of one cluster, as far as both know. If both ids are known, the ids decide. A
     * node without a known id fits if it expects no name, or the name of the other node.
     *
     * @param other identity of the other node's cluster
     * @return whether nothing speaks against it
     */
    public boolean fits(ClusterId other) {
        if (isKnown() && other.isKnown()) {
            return isSame(other);
        }
        return expectsNothing() || other.expectsNothing() || name.equals(other.name);
    }

    /**
     * {@return whether both ids are known and equal}
     *
     * @param other identity of the other node's cluster
     */
    public boolean isSame(ClusterId other) {
        return isKnown() && high == other.high && low == other.low;
    }

    private boolean expectsNothing() {
        return !isKnown() && name.isEmpty();
    }

    /** {@return the id in 32 hexadecimal digits} */
    public String hex() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }

    /** {@return the name in {@value #NAME_MAX} bytes, with zeros behind the name} */
    public byte[] nameBytes() {
        final byte[] bytes = new byte[NAME_MAX];
        final byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, bytes, 0, text.length);
        return bytes;
    }

    /** {@return name and id, for people} */
    @Override
    public String toString() {
        if (!isKnown()) {
            return name.isEmpty() ? "an unknown cluster" : "a cluster named " + name;
        }
        return name.isEmpty() ? "cluster " + hex() : "cluster " + name + " (" + hex() + ')';
    }
}
