package io.teff.cluster.operation;

import io.teff.cluster.ClusterStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The layout of requests and answers; all numbers are little-endian, at any alignment.
 * <pre>
 *  request                                          answer
 *   0  operation 1 | level 1 | flags 1 | width 1     0  code 1 | category 1 | zero 2
 *   4  length or count 4                             4  bytes behind the head 4
 *   8  CID or argument 8                             8  result 8
 *  16  of changes: tickets, see below               16  content, text or row
 *      token of a lock 8, if the flags say so
 *      arguments, 8 each
 *      content
 *
 *  request of a batch                               answer of a batch
 *   0  operation 1 | level 1 | flags 1 | zero 1      0  code 1 | category 1 | zero 2
 *   4  entries 4                                     4  sections 4
 *   8  zone, limit or first byte 8                   8  entries 4 | bytes of the text 4
 *  16  of changes: tickets, see below               16  sections: code 1 | zero 3 | entries 4 | bytes of the row 8
 *      CIDs, 8 each, unless of creates
 *      lengths, 4 each, of creates, puts, resizes       results, 8 each
 *      contents, side by side                           contents, side by side, or values, 8 each
 *                                                       rows of the sections, side by side
 *                                                       text
 *
 *  tickets
 *   0  session 4, 0 for none | tickets 4
 *   8  tickets, 8 each: one, or in a batch one for each section; none without a session
 * </pre>
 * A section of a batch is a run of entries of one zone. A change without a session is executed as often as it arrives.
 */
public final class OperationFormat {
    /** Longest request and answer of the short type, which the agent of the owner's network handles itself. */
    public static final int SHORT_BYTES_MAX = 64 << 10;
    /** Longest request and answer of the long type. */
    public static final int LONG_BYTES_MAX = 16 << 20;
    /** Most entries of a batch in one message. */
    public static final int ENTRIES_MAX = 1 << 16;
    /** Most bytes of contents that one answer of a batch has: at least the longest chunk. */
    public static final int CONTENT_BYTES_MAX = 4 << 20;

    /** Length of the head of each request and answer. */
    public static final int HEAD_BYTES = 16;
    /** Length of the head of tickets in front of them. */
    static final int TICKETS_BYTES = 8;
    /** Length of a section in the answer of a batch. */
    public static final int SECTION_BYTES = 16;

    /** Flag of a create: the chunk is read-only. */
    public static final int READ_ONLY = 1;
    /** Flag of creates, also at a given CID: the chunks are of zeros, and there is no content. */
    public static final int ZEROS = 2;
    /** Flag of a batch of creates: all chunks have one length. */
    public static final int UNIFORM = 4;
    /** Flag of a batch of creates: the CIDs are consecutive. */
    public static final int CONSECUTIVE = 8;

    /**
     * Flag of an operation of the holder of a lock: the token of the lock is in front of the arguments. The token of a
     * change of a collection is that of a holder of a service, for the fence of the collection.
     */
    public static final int TOKEN = 16;
    /**
     * Flag of an operation that is the last attempt if a lock refuses it: the caller does not wait any longer. Then
     * LOCKED is the result of the change, also for earlier attempts that arrive later.
     */
    public static final int GIVES_UP = 32;
    /** Flag of a read of chunks at level OWNER: the answer does not wait for backups. */
    public static final int AT_OWNER = 64;
    /** Argument of LOCK and SWAP_LOCK: the write lock; 0 for the read lock. */
    public static final int WRITE_LOCK = 1;
    /** Shortest lease of a lock. */
    public static final long LEASE_NS_MIN = 1_000_000L;
    /** Longest lease of a lock. */
    public static final long LEASE_NS_MAX = 3_600_000_000_000L;

    // ---- codes of answers ----

    /** The operation was done, or its status tells why not. */
    public static final int DONE = 0;
    /** The operation was not done because this peer does not serve the zone; its newest row may follow. */
    public static final int NOT_HERE = 1;
    /** The peer stopped to serve the zone meanwhile: it is unknown whether a change was done. */
    public static final int DEPOSED = 2;
    /** The peer cannot take the change now, and has not done it. */
    public static final int BUSY = 3;
    /** The peer's store has thrown an exception; its category and text follow. */
    public static final int REFUSED = 4;
    /** The range of a field is not inside the chunk. */
    public static final int OUTSIDE = 5;
    /** There is no chunk, for an operation whose result can be any number. */
    public static final int ABSENT = 6;
    /** The chunk is too long for a short answer: the request is to be repeated as a long one. */
    public static final int TOO_LONG = 7;
    /**
     * The change was not done, and never will be by this request: its session has ended, or its slot has had a later
     * change. Earlier requests with the same ticket may have been done.
     */
    public static final int EXPIRED = 8;
    /** Nothing was done: another client, or another thread of this one, has locked the chunk. */
    public static final int LOCKED = 9;
    /**
     * Nothing was done, and never will be by this request: the lock whose token it presents is not held any more, or
     * the fence of the collection has the token of a later holder.
     */
    public static final int FENCED = 10;
    /**
     * Nothing was done, and never will be by this request: the result of this change of a collection is too long to be
     * kept. The caller reads the value, and makes the change if the value is still the same.
     */
    public static final int LONG_RESULT = 11;
    /** Nothing was done: the owner has no function of this name. A text may follow. */
    public static final int NO_FUNCTION = 12;
    /** Nothing was done: a registered function has failed; a text follows. */
    public static final int FUNCTION_FAILED = 13;
    /**
     * Nothing was done, and never will be by this request: a key of the request is not in this part of the sorted map.
     * The bounds of the part follow.
     */
    public static final int ELSEWHERE = 14;
    /** Highest code. */
    static final int CODE_MAX = ELSEWHERE;

    /** Result of a change of a collection that was done, and whose result is no value. */
    public static final long MAP_DONE = -16;
    /** Number of a map: its entries. */
    public static final int MAP_ENTRIES = 0;
    /** Number of a map: its bytes of memory. */
    public static final int MAP_MEMORY = 1;
    /** Number of a map: 0 after an audit. */
    public static final int MAP_AUDIT = 2;
    /** Result of a look at a part of a sorted map that fills its zone. */
    public static final int PART_FILLS = 1;
    /** Most CIDs of a zone in one answer. */
    public static final int CIDS_MAX = 1 << 14;
    /** Added to the bytes of a page: the page has keys, and no values. */
    public static final long KEYS_ONLY = 1L << 32;
    /** Length of the key and of the expected value in front of an entry of a batch of changes. */
    public static final int ENTRY_HEAD_BYTES = 8;
    /** Most bytes of an entry of a map, key and value together. */
    public static final int MAP_ENTRY_BYTES_MAX = 1_000_000;

    /**
     * Most bytes of an element of a queue or list, or of key and value of a sorted map: a record has room for the
     * element, and for the chunks that change with it.
     */
    public static final int ELEMENT_BYTES_MAX = 900_000;
    /** Bytes of a page of a queue, list or sorted map, unless its first element is longer. */
    static final int PAGE_BYTES = 32 << 10;
    /** Result of a change of a list: the owner does not know the revision any more. */
    public static final long UNKNOWN_REVISION = -17;

    /** Result of an entry of a batch that was not done. */
    public static final long NOT_DONE = Long.MIN_VALUE;

    /** Numbers in messages. */
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Numbers of 64 bits in messages. */
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int LEVEL_AT = 1;
    private static final int FLAGS_AT = 2;
    private static final int WIDTH_AT = 3;
    private static final int LENGTH_AT = 4;
    private static final int CID_AT = 8;
    private static final int CATEGORY_AT = 1;
    private static final int TEXT_AT = 12;
    private static final int ROW_AT = 8;

    static {
        assert CONTENT_BYTES_MAX >= ClusterStore.CHUNK_BYTES_MAX : "an answer has room for the longest chunk";
    }

    private OperationFormat() {}

    // ---- head of a request ----

    static void addFlag(MemorySegment to, int flag) {
        to.set(ValueLayout.JAVA_BYTE, FLAGS_AT, (byte) (to.get(ValueLayout.JAVA_BYTE, FLAGS_AT) | flag));
    }

    static void putHead(MemorySegment to, OperationType type, int level, int flags, int width, int length, long cid) {
        to.set(ValueLayout.JAVA_BYTE, 0, (byte) type.number());
        to.set(ValueLayout.JAVA_BYTE, LEVEL_AT, (byte) level);
        to.set(ValueLayout.JAVA_BYTE, FLAGS_AT, (byte) flags);
        to.set(ValueLayout.JAVA_BYTE, WIDTH_AT, (byte) width);
        to.set(INT, LENGTH_AT, length);
        to.set(LONG, CID_AT, cid);
    }

    static int operation(MemorySegment from, long at) {
        return from.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    static int level(MemorySegment from, long at) {
        return from.get(ValueLayout.JAVA_BYTE, at + LEVEL_AT) & 0xFF;
    }

    static int flags(MemorySegment from, long at) {
        return from.get(ValueLayout.JAVA_BYTE, at + FLAGS_AT) & 0xFF;
    }

    static int width(MemorySegment from, long at) {
        return from.get(ValueLayout.JAVA_BYTE, at + WIDTH_AT) & 0xFF;
    }

    static int length(MemorySegment from, long at) {
        return from.get(INT, at + LENGTH_AT);
    }

    static long cid(MemorySegment from, long at) {
        return from.get(LONG, at + CID_AT);
    }

    // ---- head of an answer ----

    static void putAnswerHead(MemorySegment to, int code, int category, int length, long result) {
        to.set(ValueLayout.JAVA_BYTE, 0, (byte) code);
        to.set(ValueLayout.JAVA_BYTE, CATEGORY_AT, (byte) category);
        to.set(ValueLayout.JAVA_SHORT_UNALIGNED, FLAGS_AT, (short) 0);
        to.set(INT, LENGTH_AT, length);
        to.set(LONG, CID_AT, result);
    }

    static void putBatchHead(MemorySegment to, int category, int sections, int entries, int textBytes) {
        to.set(ValueLayout.JAVA_BYTE, 0, (byte) DONE);
        to.set(ValueLayout.JAVA_BYTE, CATEGORY_AT, (byte) category);
        to.set(ValueLayout.JAVA_SHORT_UNALIGNED, FLAGS_AT, (short) 0);
        to.set(INT, LENGTH_AT, sections);
        to.set(INT, CID_AT, entries);
        to.set(INT, TEXT_AT, textBytes);
    }

    static int category(MemorySegment from, long at) {
        return from.get(ValueLayout.JAVA_BYTE, at + CATEGORY_AT) & 0xFF;
    }

    static boolean isZero(MemorySegment from, long at, int bytes) {
        for (int i = 0; i < bytes; i++) {
            if (from.get(ValueLayout.JAVA_BYTE, at + i) != 0) {
                return false;
            }
        }
        return true;
    }

    static int entries(MemorySegment from, long at) {
        return from.get(INT, at + CID_AT);
    }

    static int textBytes(MemorySegment from, long at) {
        return from.get(INT, at + TEXT_AT);
    }

    // ---- sections of the answer of a batch ----

    static long sectionAt(int section) {
        return HEAD_BYTES + (long) section * SECTION_BYTES;
    }

    static void putSection(MemorySegment to, int section, int code, int entries, long rowBytes) {
        final long at = sectionAt(section);
        to.set(INT, at, code);
        to.set(INT, at + LENGTH_AT, entries);
        to.set(LONG, at + ROW_AT, rowBytes);
    }

    static int sectionEntries(MemorySegment from, long at) {
        return from.get(INT, at + LENGTH_AT);
    }

    static long sectionRowBytes(MemorySegment from, long at) {
        return from.get(LONG, at + ROW_AT);
    }
}
