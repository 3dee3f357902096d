package io.teff.cluster.registry;

/** Limits of a registry. All superpeers refuse alike, so a limit of a step code never changes. */
public final class RegistryLimits {
    /** Longest name, in bytes of UTF-8. */
    public static final int NAME_BYTES_MAX = 1_024;
    /** Longest value of a name in bytes: a proposal of the log has room for it. */
    public static final int VALUE_BYTES_MAX = 32 << 10;
    /** Longest value of a place in bytes: an answer with all values of a barrier stays below 2 MiB. */
    public static final int PLACE_BYTES_MAX = 1_024;
    /** Most names of a cluster. */
    public static final int NAMES_MAX = 32_768;
    /** Most names bound to one session. */
    public static final int BOUND_MAX = 1_024;
    /**
     * Bytes of all names and places of a cluster, with {@link #ROW_BYTES} each: 8 MiB. A superpeer has 64 MiB of heap,
     * and needs the bytes four times while it writes a snapshot.
     */
    public static final long BYTES_MAX = 8L << 20;
    /** Bytes of all names with a time to live: a quarter of all bytes. */
    public static final long TEMPORARY_BYTES_MAX = 2L << 20;
    /** Bytes that a row counts beside its name and value: about its bytes on the heap. */
    public static final int ROW_BYTES = 192;
    /** Most places of a cluster. */
    public static final int PLACES_MAX = 16_384;
    /** Most places in the queue of one name: a change copies the list of the queue. */
    public static final int QUEUE_MAX = 1_024;
    /** Most places of one session. */
    public static final int HELD_MAX = 1_024;
    /** Most permits of a semaphore. */
    public static final int PERMITS_MAX = 1_000_000;
    /** Most open sessions: with all of their slots in use they take 6 MiB of the heap. */
    public static final int SESSIONS_MAX = 2_048;
    /** Shortest lease of a session in milliseconds: longer than the choice of a new leading superpeer. */
    public static final int LEASE_MS_MIN = 2_000;
    /** Longest lease of a session in milliseconds: an hour. */
    public static final int LEASE_MS_MAX = 3_600_000;
    /** Longest time to live in milliseconds: 30 days. */
    public static final long TTL_MS_MAX = 30L * 24 * 3_600_000;

    /** Highest number to which a restore raises the numbers: an eighth of all numbers is left for steps. */
    static final long RAISED_MAX = Long.MAX_VALUE / 8 * 7;

    private RegistryLimits() {}

    /**
     * {@return bytes of a text in UTF-8; an unpaired surrogate counts 3}
     *
     * @param text any text
     */
    public static int utf8(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            final char each = text.charAt(i);
            if (each < 0x80) {
                bytes++;
            } else if (each < 0x800) {
                bytes += 2;
            } else if (Character.isHighSurrogate(each) && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }

    /**
     * {@return whether a text can be a name: 1 to {@link #NAME_BYTES_MAX} bytes, without unpaired surrogates}
     *
     * @param text any text
     */
    public static boolean isName(String text) {
        if (text.isEmpty() || text.length() > NAME_BYTES_MAX || utf8(text) > NAME_BYTES_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            final char each = text.charAt(i);
            if (Character.isSurrogate(each)) {
                if (!Character.isHighSurrogate(each) || i + 1 == text.length()
                    || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
