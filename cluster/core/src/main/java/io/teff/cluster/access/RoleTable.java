package io.teff.cluster.access;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * The principals of a cluster. Immutable.
 *
 * @param principals by name
 * @param digest first digits of the SHA-256 of the file, to compare nodes; empty without a file
 */
record RoleTable(Map<String, Principal> principals, String digest) {
    /** No roles: each process with the secret may do everything. */
    static final RoleTable NONE = new RoleTable(Map.of(), "");
    private static final int DIGEST_BYTES = 6;

    RoleTable {
        principals = Map.copyOf(principals);
    }

    static String digest(byte[] file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file), 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }
}
