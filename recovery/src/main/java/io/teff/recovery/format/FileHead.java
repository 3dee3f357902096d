package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The first page of each file of a log except the manifest.
 * <pre>
 *  0         8          12       16       24      32                 40                 48               4,096
 *  +---------+----------+--------+--------+-------+------------------+------------------+----------------+
 *  | magic   | version  | crc32c | log id | salt  |                  |                  |                |
 *  +---------+----------+--------+--------+-------+------------------+------------------+----------------+
 *  TEFFRING                                       | ring's bytes     | zero             | DrainedMark    |
 *  TEFFPRIM                                       | file's bytes     | zero             | zeros          |
 *  TEFFSEGM                                       | owner, 0, zone   | segment          | zeros          |
 *                                                 +------------------+------------------+----------------+
 * </pre>
 * The checksum covers bytes 16 to 48, in every version that this code knows; magic and version are compared.
 *
 * @param kind of file
 * @param logId of the log that the file belongs to
 * @param salt of the log
 * @param first value at 32
 * @param second value at 40
 */
public record FileHead(FileKind kind, long logId, long salt, long first, long second) {
    /** Bytes of the head; the content follows. */
    public static final int BYTES = LittleEndian.PAGE_BYTES;
    /**
     * The version of every write buffer and primary log, and of the other files of a store's log before version 4. Any
     * two versions differ in two bits, because the checksum does not cover the version.
     */
    public static final int VERSION = 1;
    /** The version of a backup's manifest, and of segments of copies: zones of copies have other numbers. */
    public static final int VERSION_OF_COPIES = 2;

    /** The version of the manifest and the segments of a store's log: there may be entries of bytes of chunks. */
    public static final int VERSION_OF_BYTES = 4;

    private static final int VERSION_AT = 8;
    private static final int CRC_AT = 12;
    private static final int LOG_AT = 16;
    private static final int SALT_AT = 24;
    private static final int FIRST_AT = 32;
    private static final int SECOND_AT = 40;
    /** End of the bytes covered by the checksum. */
    static final int CHECKED_END = SECOND_AT + Long.BYTES;

    private static final int ZONE_SHIFT = 32;
    private static final long OWNER_AND_ZERO = (1L << ZONE_SHIFT) - 1;
    private static final long SIZE_MIN = LittleEndian.PAGE_BYTES;

    static {
        assert CRC_AT + Integer.BYTES == LOG_AT && LOG_AT + Long.BYTES == SALT_AT && SALT_AT + Long.BYTES == FIRST_AT
            && FIRST_AT + Long.BYTES == SECOND_AT : "fields must tile the head";
    }

    /**
     * Returns the head of a write buffer.
     *
     * @param logId of the log
     * @param salt of the log
     * @param capacity bytes of the ring, a power of two from 4,096 to 2^30
     * @return the head; a {@link DrainedMark} must be written, too
     */
    public static FileHead ring(long logId, long salt, long capacity) {
        assert isRingSize(capacity) : capacity;
        return new FileHead(FileKind.RING, logId, salt, capacity, 0);
    }

    /**
     * Returns the head of a file of the primary log.
     *
     * @param logId of the log
     * @param salt of the log
     * @param fileBytes of the whole file, a multiple of 4,096
     * @return the head
     */
    public static FileHead primary(long logId, long salt, long fileBytes) {
        assert isPrimarySize(fileBytes) : fileBytes;
        return new FileHead(FileKind.PRIMARY, logId, salt, fileBytes, 0);
    }

    /**
     * Returns the head of a segment.
     *
     * @param logId of the log
     * @param salt of the log
     * @param id of the segment
     * @return the head
     */
    public static FileHead segment(long logId, long salt, SegmentId id) {
        return new FileHead(FileKind.SEGMENT, logId, salt, id.owner() | (long) id.zone() << ZONE_SHIFT, id.number());
    }

    /** {@return the bytes of the ring or of the file of the primary log with this head} */
    public long sizeBytes() {
        assert kind != FileKind.SEGMENT : kind;
        return first;
    }

    /** {@return the segment with this head} */
    public SegmentId segmentId() {
        assert kind == FileKind.SEGMENT : kind;
        return new SegmentId((int) (first & OWNER_AND_ZERO), (int) (first >>> ZONE_SHIFT), second);
    }

    /**
     * Writes the head as a page filled up with zeros.
     *
     * @param page receives the head in its first {@link #BYTES} bytes
     */
    public void write(MemorySegment page) {
        page.asSlice(0, BYTES).fill((byte) 0);
        LittleEndian.putLong(page, 0, kind.magic());
        LittleEndian.putInt(page, VERSION_AT, version());
        LittleEndian.putLong(page, LOG_AT, logId);
        LittleEndian.putLong(page, SALT_AT, salt);
        LittleEndian.putLong(page, FIRST_AT, first);
        LittleEndian.putLong(page, SECOND_AT, second);
        LittleEndian.putInt(page, CRC_AT, crc(page));
    }

    private int version() {
        return kind != FileKind.SEGMENT ? VERSION
            : ZoneId.isCopy((int) (first >>> ZONE_SHIFT)) ? VERSION_OF_COPIES : VERSION_OF_BYTES;
    }

    private static boolean isKnown(int version, FileKind kind) {
        return version == VERSION || kind == FileKind.SEGMENT && isKnown(version);
    }

    /**
     * Returns whether this code reads manifests and segments of a version.
     *
     * @param version of the file
     * @return whether it does
     */
    static boolean isKnown(int version) {
        return version == VERSION || version == VERSION_OF_COPIES || version == VERSION_OF_BYTES;
    }

    /**
     * Reads a head that {@link #problem} has accepted.
     *
     * @param page the file's first bytes
     * @param kind of file
     * @return the head
     */
    public static FileHead read(MemorySegment page, FileKind kind) {
        return new FileHead(kind, LittleEndian.getLong(page, LOG_AT), LittleEndian.getLong(page, SALT_AT),
            LittleEndian.getLong(page, FIRST_AT), LittleEndian.getLong(page, SECOND_AT));
    }

    /**
     * Checks the first page of a file.
     *
     * @param page the file's first bytes; fewer if the file is shorter
     * @param kind expected kind of file
     * @param logId expected id of the log
     * @param salt of that log
     * @return the problem, or null
     */
    public static @Nullable String problem(MemorySegment page, FileKind kind, long logId, long salt) {
        if (page.byteSize() < BYTES) {
            return "its first page is cut off";
        }
        if (LittleEndian.getLong(page, 0) != kind.magic()) {
            return "it does not begin with " + kind;
        }
        final int version = LittleEndian.getInt(page, VERSION_AT);
        if (!isKnown(version, kind)) {
            return "its version is " + Integer.toUnsignedString(version) + ", not " + VERSION
                + (kind == FileKind.SEGMENT ? ", " + VERSION_OF_COPIES + " or " + VERSION_OF_BYTES : "");
        }
        if (LittleEndian.getInt(page, CRC_AT) != crc(page)) {
            return "the checksum of its first page is wrong";
        }
        FileHead head = read(page, kind);
        if (head.logId != logId) {
            return "it belongs to log " + hex(head.logId) + ", not to " + hex(logId);
        }
        if (head.salt != salt) {
            return "it has another salt than its log";
        }
        return head.isPossible() ? null : "its first page says what cannot be";
    }

    private boolean isPossible() {
        return switch (kind) {
            case RING -> isRingSize(first) && second == 0;
            case PRIMARY -> isPrimarySize(first) && second == 0;
            case SEGMENT -> ZoneId.isOwner(first & OWNER_AND_ZERO);
        };
    }

    private static boolean isRingSize(long bytes) {
        return bytes >= SIZE_MIN && bytes <= 1 << 30 && Long.bitCount(bytes) == 1;
    }

    private static boolean isPrimarySize(long bytes) {
        return bytes >= BYTES + SIZE_MIN && bytes <= Integer.MAX_VALUE && bytes % LittleEndian.PAGE_BYTES == 0;
    }

    private static int crc(MemorySegment page) {
        return new Checksum(page.asSlice(0, BYTES)).of(LOG_AT, CHECKED_END);
    }

    private static String hex(long id) {
        return HexFormat.of().toHexDigits(id);
    }
}
