package io.teff.cluster.compute;

import io.teff.cluster.ClusterStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkMap;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The jars that a cluster keeps for its nodes. A node loads a jar only if the configuration of the node allows the hash
 * of the jar; so a jar that anybody else has uploaded is bytes without an effect. Thread-safe.
 *
 * <p>The jars are two maps of the cluster, so they have backups as all data, and a node that starts later finds them:
 * <pre>
 *  teff/jars        hash           -&gt; name, length
 *  teff/jars/parts  hash/number    -&gt; 512 KiB of the jar, the last part shorter
 * </pre>
 * The parts of a jar are written before its row, and removed behind it. A jar whose parts do not have the hash is as a
 * jar that was not uploaded.
 */
public final class ClusterJars {
    /** Most bytes of all jars together: 64 MiB. */
    public static final long BYTES_MAX = 64 << 20;
    /** Longest name of a jar, in characters; a longer name is cut. */
    public static final int NAME_MAX = 255;

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final int PART_BYTES = 512 << 10;
    private static final Schema<Row> ROWS = Schema.of(Row.class);

    private static final String ROWS_NAME = "teff/jars";

    private final ClusterStore store;

    /** The description of a jar that the cluster keeps beside the bytes of the jar. */
    private record Row(String name, long bytes) {}

    private ClusterJars(ClusterStore store) {
        this.store = store;
    }

    /** Opens the map of the rows, which the first use creates. */
    private ChunkMap<String, Row> rows() {
        return store.map(ROWS_NAME, Codecs.STRING, ROWS);
    }

    private ChunkMap<String, byte[]> parts() {
        return store.map("teff/jars/parts", Codecs.STRING, Codecs.BYTES);
    }

    /** Returns whether a jar was ever uploaded; a reader may not create the maps. */
    private boolean hasRows() {
        return store.names().get(ROWS_NAME).isPresent();
    }

    /**
     * {@return the jars of a cluster}
     *
     * @param store of the cluster
     */
    public static ClusterJars of(ClusterStore store) {
        return new ClusterJars(store);
    }

    /**
     * {@return the SHA-256 of bytes, 64 lower-case hexadecimal digits}
     *
     * @param bytes of a jar
     */
    public static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }

    /**
     * {@return whether a text has the form of a hash: 64 lower-case hexadecimal digits}
     *
     * @param text any text
     */
    public static boolean isHash(String text) {
        return HASH.matcher(text).matches();
    }

    /**
     * Uploads a jar. A jar that is there already is written anew.
     *
     * @param name of the file, for people
     * @param jar the bytes
     * @return what the cluster keeps
     * @throws IllegalArgumentException if the bytes are no jar, or all jars together would have more than 64 MiB
     * @throws io.teff.engine.error.StoreException as changes of maps do; the jar may be uploaded again
     */
    public UploadedJar add(String name, byte[] jar) {
        if (jar.length < 4 || jar[0] != 'P' || jar[1] != 'K') {
            throw new IllegalArgumentException(name + " is no jar");
        }
        final String hash = hash(jar);
        final long others = list().stream().filter(it -> !it.hash().equals(hash)).mapToLong(UploadedJar::bytes).sum();
        if (others + jar.length > BYTES_MAX) {
            throw new IllegalArgumentException(name + " has " + jar.length + " bytes, and the other jars have " + others
                + "; a cluster keeps " + BYTES_MAX + " bytes of jars");
        }
        final ChunkMap<String, byte[]> parts = parts();
        for (int part = 0; (long) part * PART_BYTES < jar.length; part++) {
            parts.put(key(hash, part), Arrays.copyOfRange(jar, part * PART_BYTES, Math.min((part + 1) * PART_BYTES,
                jar.length)));
        }
        final String shown = name.substring(0, Math.min(name.length(), NAME_MAX));
        rows().put(hash, new Row(shown, jar.length));
        return new UploadedJar(hash, shown, jar.length);
    }

    private static String key(String hash, int part) {
        return hash + '/' + part;
    }

    /** {@return all jars, by their names} */
    public List<UploadedJar> list() {
        final List<UploadedJar> all = new ArrayList<>();
        if (!hasRows()) {
            return all;
        }
        rows().forEach((hash, row) -> all.add(new UploadedJar(hash, row.name, row.bytes)));
        all.sort(Comparator.comparing(UploadedJar::name).thenComparing(UploadedJar::hash));
        return all;
    }

    /**
     * {@return the bytes of a jar; empty if the jar was not uploaded, or is not whole}
     *
     * @param hash of the jar
     */
    public Optional<byte[]> bytes(String hash) {
        final Row row = hasRows() ? rows().get(hash) : null;
        if (row == null || row.bytes < 0 || row.bytes > BYTES_MAX) {
            return Optional.empty();
        }
        final ChunkMap<String, byte[]> parts = parts();
        final byte[] jar = new byte[(int) row.bytes];
        for (int at = 0; at < jar.length; at += PART_BYTES) {
            final byte[] part = parts.get(key(hash, at / PART_BYTES));
            if (part == null || part.length != Math.min(PART_BYTES, jar.length - at)) {
                return Optional.empty();
            }
            System.arraycopy(part, 0, jar, at, part.length);
        }
        return hash(jar).equals(hash) ? Optional.of(jar) : Optional.empty();
    }

    /**
     * Removes a jar. Nodes that have loaded the jar keep it until they end.
     *
     * @param hash of the jar
     * @return whether the jar was there
     */
    public boolean remove(String hash) {
        final Row row = hasRows() ? rows().remove(hash) : null;
        if (row == null) {
            return false;
        }
        final ChunkMap<String, byte[]> parts = parts();
        for (int part = 0; (long) part * PART_BYTES < Math.min(row.bytes, BYTES_MAX); part++) {
            parts.remove(key(hash, part));
        }
        return true;
    }
}
