package io.teff.engine.view;

import io.teff.engine.error.Status;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Described conditions on chunks, for visits of CIDs: a chunk passes that meets all conditions. In a cluster the owners
 * of the chunks test the conditions. Immutable.
 * <pre>
 *  // accounts have the bytes "A1" in front, and the time of their last change at offset 8
 *  ChunkFilter changed = ChunkFilter.all().withBytes(0, "A1".getBytes()).withLong(8, since, Long.MAX_VALUE);
 *  store.ids().forEach(changed, this::visit);
 * </pre>
 */
public final class ChunkFilter {
    /** Most conditions of a filter. */
    public static final int CONDITIONS_MAX = 16;
    /** Most bytes that a condition compares. */
    public static final int BYTES_MAX = 256;

    private static final ChunkFilter ALL = new ChunkFilter(Set.of(), List.of());
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Zones, or other creators, whose chunks pass; empty for all. */
    private final Set<Integer> zones;
    private final List<Condition> conditions;

    /** What a condition is about. */
    public enum Kind {
        /** The length of the chunk. */
        SIZE,
        /** 4 bytes at an offset, as a number. */
        INT,
        /** 8 bytes at an offset, as a number. */
        LONG,
        /** Bytes at an offset. */
        BYTES
    }

    /**
     * A condition.
     *
     * @param kind what the condition is about
     * @param offset first byte in the chunk; 0 for a length
     * @param min least number
     * @param max greatest number
     * @param bytes wanted bytes; none for a number
     */
    public record Condition(Kind kind, int offset, long min, long max, byte[] bytes) {
        /**
         * Checks the components.
         *
         * @throws IllegalArgumentException if there is no such condition
         */
        public Condition {
            if (offset < 0 || kind == Kind.SIZE && offset != 0) {
                throw new IllegalArgumentException("offset=" + offset);
            }
            if (bytes.length > BYTES_MAX || kind != Kind.BYTES && bytes.length > 0) {
                throw new IllegalArgumentException(bytes.length + " bytes in a condition: at most " + BYTES_MAX);
            }
        }

        /** Returns whether a chunk meets the condition; also if the chunk is locked. */
        private boolean isMet(Contents contents, long cid) {
            if (kind == Kind.SIZE) {
                long size = contents.size(cid);
                return size == Status.LOCKED || size >= Math.max(min, 0) && size <= max;
            }
            byte[] found = new byte[kind == Kind.INT ? Integer.BYTES : kind == Kind.LONG ? Long.BYTES : bytes.length];
            int result = contents.getBytes(cid, offset, found);
            return result == Status.LOCKED || result == Status.OK && isMet(found);
        }

        private boolean isMet(byte[] found) {
            if (kind == Kind.BYTES) {
                return Arrays.equals(bytes, found);
            }
            long number = kind == Kind.INT ? (int) INT.get(found, 0) : (long) LONG.get(found, 0);
            return number >= min && number <= max;
        }
    }

    /** Reads of chunks, as those of a store. */
    public interface Contents {
        /**
         * Returns the length of a chunk.
         *
         * @param cid the chunk
         * @return length in bytes, or a status
         */
        long size(long cid);

        /**
         * Copies the first bytes from an offset on.
         *
         * @param cid the chunk
         * @param chunkOffset first byte in the chunk
         * @param target takes the bytes from index 0 on
         * @return OK, or another status
         */
        int getBytes(long cid, long chunkOffset, byte[] target);
    }

    private ChunkFilter(Set<Integer> zones, List<Condition> conditions) {
        this.zones = zones;
        this.conditions = conditions;
    }

    /**
     * Returns the filter that all chunks pass.
     *
     * @return the filter
     */
    public static ChunkFilter all() {
        return ALL;
    }

    /**
     * Returns a filter of conditions.
     *
     * @param conditions at most {@value #CONDITIONS_MAX}
     * @return the filter
     */
    public static ChunkFilter of(List<Condition> conditions) {
        if (conditions.size() > CONDITIONS_MAX) {
            throw new IllegalArgumentException(conditions.size() + " conditions: a filter has at most "
                + CONDITIONS_MAX);
        }
        return new ChunkFilter(Set.of(), List.copyOf(conditions));
    }

    private ChunkFilter with(Condition condition) {
        List<Condition> more = new ArrayList<>(conditions);
        more.add(condition);
        return new ChunkFilter(zones, of(more).conditions);
    }

    /**
     * Returns this filter for chunks of some zones; in a local store, of some creators.
     *
     * @param numbers the zones
     * @return a filter
     */
    public ChunkFilter inZones(int... numbers) {
        Set<Integer> chosen = new TreeSet<>();
        Arrays.stream(numbers).forEach(chosen::add);
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no zone");
        }
        return new ChunkFilter(chosen, conditions);
    }

    /**
     * Returns this filter for chunks of some lengths.
     *
     * @param min least length in bytes
     * @param max greatest length in bytes
     * @return a filter
     */
    public ChunkFilter ofBytes(long min, long max) {
        return with(new Condition(Kind.SIZE, 0, min, max, new byte[0]));
    }

    /**
     * Returns this filter for chunks with a number of 8 bytes at an offset, little-endian. A shorter chunk does not
     * pass.
     *
     * @param offset first byte of the number
     * @param min least number
     * @param max greatest number
     * @return a filter
     */
    public ChunkFilter withLong(int offset, long min, long max) {
        return with(new Condition(Kind.LONG, offset, min, max, new byte[0]));
    }

    /**
     * Returns this filter for chunks with a number of 4 bytes at an offset, little-endian. A shorter chunk does not
     * pass.
     *
     * @param offset first byte of the number
     * @param min least number
     * @param max greatest number
     * @return a filter
     */
    public ChunkFilter withInt(int offset, int min, int max) {
        return with(new Condition(Kind.INT, offset, min, max, new byte[0]));
    }

    /**
     * Returns this filter for chunks with bytes at an offset: for example a mark of a type. A shorter chunk does not
     * pass.
     *
     * @param offset of the first byte
     * @param bytes the bytes, at most {@value #BYTES_MAX}
     * @return a filter
     */
    public ChunkFilter withBytes(int offset, byte[] bytes) {
        return with(new Condition(Kind.BYTES, offset, 0, 0, bytes.clone()));
    }

    /** {@return the conditions beside the zones} */
    public List<Condition> conditions() {
        return conditions;
    }

    /**
     * Returns whether chunks of a zone may pass.
     *
     * @param zone a zone, or another creator
     * @return whether the filter has the zone, or none
     */
    public boolean hasZone(int zone) {
        return zones.isEmpty() || zones.contains(zone);
    }

    /**
     * Tests the conditions beside the zones. A chunk that another thread has locked for long passes, because the
     * conditions cannot be tested.
     *
     * @param contents has the chunk
     * @param cid the chunk
     * @return whether the chunk passes; false if the chunk does not exist
     */
    public boolean isPassed(Contents contents, long cid) {
        for (Condition condition : conditions) {
            if (!condition.isMet(contents, cid)) {
                return false;
            }
        }
        return true;
    }
}
