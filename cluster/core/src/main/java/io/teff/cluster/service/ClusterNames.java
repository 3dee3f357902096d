package io.teff.cluster.service;

import java.util.List;
import java.util.Optional;

/**
 * Names with values and versions. A version is a number of the cluster that rises with each change of any name. Names
 * are ordered by their UTF-16 units.
 */
public interface ClusterNames {
    /** Longest name in bytes of UTF-8. */
    int NAME_BYTES_MAX = 1_024;
    /** Longest value in bytes: 32 KiB. */
    int VALUE_BYTES_MAX = 32 << 10;
    /** The version of a name that does not exist. */
    long ABSENT = 0;

    /**
     * A name.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @param value at most {@link #VALUE_BYTES_MAX} bytes
     * @param version of the last change
     * @param isBound whether the name ends with a session
     * @param isTemporary whether the name has a time to live
     */
    record Entry(String name, byte[] value, long version, boolean isBound, boolean isTemporary) {}

    /**
     * A part of a list.
     *
     * @param entries in the order of their names
     * @param revision all later changes have higher versions: a watch from here misses none
     * @param isLast whether there are no more names
     */
    record Page(List<Entry> entries, long revision, boolean isLast) {}

    /**
     * Reads a name.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @return the entry, with every change that had returned when the call began
     */
    Optional<Entry> get(String name);

    /**
     * Reads names with a prefix.
     *
     * @param prefix of the names; empty for all
     * @param after the list begins behind this name; empty for the first name
     * @return at least one name, if there is one
     */
    Page list(String prefix, String after);

    /**
     * Sets a value.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @param value at most {@link #VALUE_BYTES_MAX} bytes
     * @return the version
     */
    long put(String name, byte[] value);

    /**
     * Sets a value, and binds the name to the session of this client: the name is removed when the session ends.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @param value at most {@link #VALUE_BYTES_MAX} bytes
     * @return the version
     */
    long putBound(String name, byte[] value);

    /**
     * Sets a value with a time to live: the name is removed when it was not put again for this time. The name lives
     * longer if superpeers fail meanwhile. All names with a time to live have 2 MiB in the cluster.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @param value at most {@link #VALUE_BYTES_MAX} bytes
     * @param ttlNs time to live in nanoseconds, 1 ms to 30 days, rounded up to milliseconds
     * @return the version
     */
    long putFor(String name, byte[] value, long ttlNs);

    /**
     * Sets a value if the name has a version.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @param value at most {@link #VALUE_BYTES_MAX} bytes
     * @param version the expected version; {@link #ABSENT} if the name must not exist
     * @return the new version; or -1 - v if the name has the version v, {@link #ABSENT} for no such name
     */
    long putIf(String name, byte[] value, long version);

    /**
     * Like {@link #putIf}, and binds the name to the session of this client.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @param value at most {@link #VALUE_BYTES_MAX} bytes
     * @param version the expected version
     * @return as of {@link #putIf}
     */
    long putBoundIf(String name, byte[] value, long version);

    /**
     * Removes a name.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @return whether it existed
     */
    boolean remove(String name);

    /**
     * Removes a name if it has a version.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @param version the expected version
     * @return whether it was removed
     */
    boolean removeIf(String name, long version);

    /**
     * Watches names.
     *
     * @param prefix of the names
     * @param revision the first event is of the next change; as of {@link Page}, or of an earlier event
     * @return the watch, which costs the cluster something only during calls
     */
    Watch watch(String prefix, long revision);
}
