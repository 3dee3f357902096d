package io.teff.cluster.registry;

import java.util.Arrays;

/**
 * A name.
 *
 * @param name 1 to 1,024 bytes of UTF-8
 * @param value must not be changed
 * @param version revision of the last change of the name
 * @param session the session to which the name is bound, or 0
 * @param ttlMs time to live in milliseconds, or 0
 */
public record NameRow(String name, byte[] value, long version, long session, long ttlMs) {
    /** Returns what the row counts for the limits. */
    long bytes() {
        return (long) RegistryLimits.utf8(name) + value.length + RegistryLimits.ROW_BYTES;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NameRow it && name.equals(it.name) && Arrays.equals(value, it.value)
            && version == it.version && session == it.session && ttlMs == it.ttlMs;
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Long.hashCode(version);
    }
}
