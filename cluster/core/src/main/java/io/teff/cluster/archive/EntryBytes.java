package io.teff.cluster.archive;

import io.teff.cluster.slot.SlotLayout;
import io.teff.engine.Cid;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a zone side by side, in messages and in files. Numbers are little-endian. For one thread.
 * <pre>
 *  0        8        16       20     21      24
 * +--------+--------+--------+------+-------+----------+
 * | CID    | number | length | kind | zeros | content  |
 * +--------+--------+--------+------+-------+----------+
 * </pre>
 * The kinds are those of {@link Journal}, and {@link #SAME}. Of two entries of one index the higher number counts, and
 * of equal numbers the removal.
 */
final class EntryBytes {
    /** The block that begins with the index of the CID is the same as before. */
    static final int SAME = 16;
    /** Added to the kind of a change that was made while the zone was read. */
    static final int CHANGE = 32;
    static final int HEAD_BYTES = 24;
    /** Longest content. */
    static final int CONTENT_BYTES_MAX = Journal.CONTENT_BYTES_MAX;

    private static final int NUMBER_AT = 8;
    private static final int LENGTH_AT = 16;
    private static final int KIND_AT = 20;
    private static final int ZONE_SHIFT = 48;
    private static final int BYTES_FIRST = 1 << 12;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes;
    private MemorySegment memory;
    private int size;
    private int at;
    private int next;

    /** Begins without entries. */
    EntryBytes() {
        this(new byte[BYTES_FIRST], 0);
    }

    private EntryBytes(byte[] bytes, int size) {
        this.bytes = bytes;
        this.size = size;
        memory = MemorySegment.ofArray(bytes);
    }

    /** Begins in front of given entries, which {@link #fault} must have accepted. */
    static EntryBytes of(byte[] entries) {
        return new EntryBytes(entries, entries.length);
    }

    /** Returns why bytes are no entries of a zone, or null. */
    static @Nullable String fault(byte[] entries, int zone) {
        final MemorySegment memory = MemorySegment.ofArray(entries);
        for (int at = 0; at < entries.length;) {
            if (entries.length - at < HEAD_BYTES) {
                return "the entries end in a head at byte " + at;
            }
            final int length = memory.get(INT, at + LENGTH_AT);
            final int kind = memory.get(INT, at + KIND_AT) & ~CHANGE;
            final boolean hasContent = kind == Journal.PUT || kind == Journal.PUT_READ_ONLY;
            final boolean isKnown = hasContent || kind == Journal.REMOVED || kind == Journal.RESERVED || kind == SAME;
            final boolean isChunk = Cid.nid(memory.get(LONG, at)) == zone && !SlotLayout.isSlot(memory.get(LONG, at));
            if (!isKnown || !isChunk || length < 0 || length > (hasContent ? CONTENT_BYTES_MAX : 0)
                || length > entries.length - at - HEAD_BYTES) {
                return "the entry at byte " + at + " is not one of zone " + zone;
            }
            at += HEAD_BYTES + length;
        }
        return null;
    }

    /** Returns the bytes of the whole entries at the begin of some bytes. */
    static int whole(byte[] entries) {
        final MemorySegment memory = MemorySegment.ofArray(entries);
        int at = 0;
        while (entries.length - at >= HEAD_BYTES && memory.get(INT, at + LENGTH_AT) <= entries.length - at
            - HEAD_BYTES) {
            at += HEAD_BYTES + memory.get(INT, at + LENGTH_AT);
        }
        return at;
    }

    /** Returns the index of a CID: all CIDs of an index replace each other. */
    static long index(long cid) {
        return Cid.index(cid);
    }

    static long cid(int zone, long index) {
        return (long) zone << ZONE_SHIFT | index;
    }

    // ---- writing ----

    /** Makes room for entries, and returns the memory. */
    MemorySegment room(long more) {
        final long wanted = size + more;
        if (wanted > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(wanted, Math.min(2L * bytes.length, 1 << 30))));
            memory = MemorySegment.ofArray(bytes);
        }
        return memory;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Writes the head of the next entry, and returns where its content belongs. */
    int begin(long cid, long number, int kind, int length) {
        final MemorySegment to = room(HEAD_BYTES + (long) length);
        to.set(LONG, size, cid);
        to.set(LONG, size + NUMBER_AT, number);
        to.set(INT, size + LENGTH_AT, length);
        to.set(INT, size + KIND_AT, kind);
        final int content = size + HEAD_BYTES;
        size = content + length;
        return content;
    }

    /** Adds an entry. */
    void add(long cid, long number, int kind, MemorySegment source, long offset, int length) {
        final int content = begin(cid, number, kind, length);
        MemorySegment.copy(source, offset, memory, content, length);
    }

    /** Adds an entry without a number. */
    void add(long cid, int kind, byte[] content) {
        final int to = begin(cid, 0, kind, content.length);
        System.arraycopy(content, 0, bytes, to, content.length);
    }

    /** Adds the removal of a chunk without a number. */
    void addRemoved(long cid) {
        final int _ = begin(cid, 0, Journal.REMOVED, 0);
    }

    /** Adds the current entry of other entries. */
    void add(EntryBytes other) {
        final MemorySegment to = room(other.next - (long) other.at);
        MemorySegment.copy(other.memory, other.at, to, size, other.next - (long) other.at);
        size += other.next - other.at;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
        rewind();
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    // ---- reading ----

    void rewind() {
        at = 0;
        next = 0;
    }

    /** Goes to the next entry; returns false behind the last one. */
    boolean next() {
        if (next >= size) {
            return false;
        }
        at = next;
        next = at + HEAD_BYTES + length();
        return true;
    }

    long cid() {
        return memory.get(LONG, at);
    }

    long number() {
        return memory.get(LONG, at + NUMBER_AT);
    }

    int length() {
        return memory.get(INT, at + LENGTH_AT);
    }

    int kind() {
        return memory.get(INT, at + KIND_AT) & ~CHANGE;
    }

    boolean isChange() {
        return (memory.get(INT, at + KIND_AT) & CHANGE) != 0;
    }

    int offset() {
        return at;
    }

    int contentAt() {
        return at + HEAD_BYTES;
    }

    byte[] array() {
        return bytes;
    }
}
