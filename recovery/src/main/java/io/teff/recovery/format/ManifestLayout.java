package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The records of a manifest as bytes. Pure functions.
 * <pre>
 *          0         4        8       10
 *          +---------+--------+-------+--------------------------+
 *          | crc32c  | length | type  | body (length)            |   directly behind the previous record
 *          +---------+--------+-------+--------------------------+
 *
 *   1 LOG       TEFFMANI (8) | version (4) | segment bytes (4) | log id (8) | salt (8) | NID (4)
 *   2 MADE, 3 DROPPED          owner (2) | zone (4)
 *   4 SEGMENT, 5 SEALED        owner (2) | zone (4) | segment (8)
 *   6 REPLACED                 owner (2) | zone (4) | new ones (2) | old ones (2) | their numbers (8 each)
 *   7 TRIMMED                  number of a frame (8)
 *   8 OPENED                   boot (16)
 *   9 CLOSED                   position (8) | sequence (8)
 *  10 BEGUN                    records in front (4) | number of the next segment (8)
 *  11 RING SYNCED              nothing
 *  12 FRAME FILE               number of the file (8) | number of its first frame (8)
 *  13 COPY DROPPED, version 2  owner (2) | copy (4)
 * </pre>
 * The checksum covers all bytes of the record behind it.
 */
final class ManifestLayout {
    static final int HEAD_BYTES = 10;
    static final int LENGTH_AT = 4;
    static final int TYPE_AT = 8;

    private static final long MAGIC = FileKind.magic("TEFFMANI");

    private static final int LOG = 1;
    private static final int MADE = 2;
    private static final int DROPPED = 3;
    private static final int SEGMENT = 4;
    private static final int SEALED = 5;
    private static final int REPLACED = 6;
    private static final int TRIMMED = 7;
    private static final int OPENED = 8;
    private static final int CLOSED = 9;
    private static final int BEGUN = 10;
    private static final int RING_SYNCED = 11;
    private static final int FRAME_FILE = 12;
    private static final int COPY_DROPPED = 13;

    private static final int ZONE_AT = 2;
    private static final int ZONE_BYTES = ZONE_AT + Integer.BYTES;
    private static final int SEGMENT_BYTES = ZONE_BYTES + Long.BYTES;
    private static final int MADE_COUNT_AT = ZONE_BYTES;
    private static final int GONE_COUNT_AT = MADE_COUNT_AT + Short.BYTES;
    private static final int NUMBERS_AT = GONE_COUNT_AT + Short.BYTES;
    private static final int NEXT_AT = 4;
    private static final int BEGUN_BYTES = NEXT_AT + Long.BYTES;
    private static final int PAIR_BYTES = 2 * Long.BYTES;

    private static final int VERSION_AT = 8;
    private static final int SIZE_AT = 12;
    private static final int ID_AT = 16;
    private static final int SALT_AT = 24;
    private static final int NID_AT = 32;
    private static final int LOG_BYTES = 36;

    /** The most bytes of a record. */
    static final int RECORD_BYTES_MAX = HEAD_BYTES + NUMBERS_AT
        + 2 * ManifestRecord.SegmentsReplaced.COUNT_MAX * Long.BYTES;

    private ManifestLayout() {}

    static int bodyBytes(ManifestRecord record) {
        return switch (record) {
            case ManifestRecord.Log _ -> LOG_BYTES;
            case ManifestRecord.ZoneMade _, ManifestRecord.ZoneDropped _, ManifestRecord.CopyDropped _ -> ZONE_BYTES;
            case ManifestRecord.SegmentMade _, ManifestRecord.SegmentSealed _ -> SEGMENT_BYTES;
            case ManifestRecord.SegmentsReplaced it -> numbersBytes(it.made().size(), it.gone().size());
            case ManifestRecord.Trimmed _ -> Long.BYTES;
            case ManifestRecord.Opened _, ManifestRecord.Closed _, ManifestRecord.FrameFile _ -> PAIR_BYTES;
            case ManifestRecord.Begun _ -> BEGUN_BYTES;
            case ManifestRecord.RingSynced _ -> 0;
        };
    }

    private static int numbersBytes(int made, int gone) {
        return NUMBERS_AT + (made + gone) * Long.BYTES;
    }

    private static int type(ManifestRecord record) {
        return switch (record) {
            case ManifestRecord.Log _ -> LOG;
            case ManifestRecord.ZoneMade _ -> MADE;
            case ManifestRecord.ZoneDropped _ -> DROPPED;
            case ManifestRecord.SegmentMade _ -> SEGMENT;
            case ManifestRecord.SegmentSealed _ -> SEALED;
            case ManifestRecord.SegmentsReplaced _ -> REPLACED;
            case ManifestRecord.Trimmed _ -> TRIMMED;
            case ManifestRecord.Opened _ -> OPENED;
            case ManifestRecord.Closed _ -> CLOSED;
            case ManifestRecord.Begun _ -> BEGUN;
            case ManifestRecord.RingSynced _ -> RING_SYNCED;
            case ManifestRecord.FrameFile _ -> FRAME_FILE;
            case ManifestRecord.CopyDropped _ -> COPY_DROPPED;
        };
    }

    /** Writes everything but the checksum. */
    static void write(MemorySegment bytes, ManifestRecord record) {
        LittleEndian.putInt(bytes, LENGTH_AT, bodyBytes(record));
        LittleEndian.putShort(bytes, TYPE_AT, type(record));
        switch (record) {
            case ManifestRecord.Log log -> writeLog(bytes, log);
            case ManifestRecord.ZoneMade it -> writeZone(bytes, it.zone());
            case ManifestRecord.ZoneDropped it -> writeZone(bytes, it.zone());
            case ManifestRecord.SegmentMade it -> writeSegment(bytes, it.id());
            case ManifestRecord.SegmentSealed it -> writeSegment(bytes, it.id());
            case ManifestRecord.SegmentsReplaced it -> writeReplaced(bytes, it);
            case ManifestRecord.Trimmed it -> LittleEndian.putLong(bytes, HEAD_BYTES, it.firstFrame());
            case ManifestRecord.Opened it -> writePair(bytes, it.boot().getMostSignificantBits(),
                it.boot().getLeastSignificantBits());
            case ManifestRecord.Closed it -> writePair(bytes, it.position(), it.sequence());
            case ManifestRecord.Begun it -> {
                LittleEndian.putInt(bytes, HEAD_BYTES, it.recordCount());
                LittleEndian.putLong(bytes, HEAD_BYTES + NEXT_AT, it.nextSegment());
            }
            case ManifestRecord.FrameFile it -> writePair(bytes, it.file(), it.firstFrame());
            case ManifestRecord.CopyDropped it -> {
                LittleEndian.putShort(bytes, HEAD_BYTES, it.owner());
                LittleEndian.putInt(bytes, HEAD_BYTES + ZONE_AT, it.copy());
            }
            case ManifestRecord.RingSynced _ -> { }
        }
    }

    private static void writeLog(MemorySegment bytes, ManifestRecord.Log log) {
        LittleEndian.putLong(bytes, HEAD_BYTES, MAGIC);
        LittleEndian.putInt(bytes, HEAD_BYTES + VERSION_AT, log.version());
        LittleEndian.putInt(bytes, HEAD_BYTES + SIZE_AT, log.segmentBytes());
        LittleEndian.putLong(bytes, HEAD_BYTES + ID_AT, log.logId());
        LittleEndian.putLong(bytes, HEAD_BYTES + SALT_AT, log.salt());
        LittleEndian.putInt(bytes, HEAD_BYTES + NID_AT, log.nid());
    }

    private static void writeZone(MemorySegment bytes, ZoneId zone) {
        LittleEndian.putShort(bytes, HEAD_BYTES, zone.owner());
        LittleEndian.putInt(bytes, HEAD_BYTES + ZONE_AT, zone.zone());
    }

    private static void writeSegment(MemorySegment bytes, SegmentId id) {
        writeZone(bytes, id.zoneId());
        LittleEndian.putLong(bytes, HEAD_BYTES + ZONE_BYTES, id.number());
    }

    private static void writePair(MemorySegment bytes, long first, long second) {
        LittleEndian.putLong(bytes, HEAD_BYTES, first);
        LittleEndian.putLong(bytes, HEAD_BYTES + Long.BYTES, second);
    }

    private static void writeReplaced(MemorySegment bytes, ManifestRecord.SegmentsReplaced record) {
        writeZone(bytes, record.zone());
        LittleEndian.putShort(bytes, HEAD_BYTES + MADE_COUNT_AT, record.made().size());
        LittleEndian.putShort(bytes, HEAD_BYTES + GONE_COUNT_AT, record.gone().size());
        int at = HEAD_BYTES + NUMBERS_AT;
        for (List<Long> numbers : List.of(record.made(), record.gone())) {
            for (long number : numbers) {
                LittleEndian.putLong(bytes, at, number);
                at += Long.BYTES;
            }
        }
    }

    /** Returns whether type and length of the bytes at an offset go together, without taking their checksum. */
    static boolean isPossible(MemorySegment bytes, long at) {
        if (bytes.byteSize() - at < HEAD_BYTES) {
            return false;
        }
        final int length = LittleEndian.getInt(bytes, at + LENGTH_AT);
        return switch (LittleEndian.getShort(bytes, at + TYPE_AT)) {
            case LOG -> length == LOG_BYTES;
            case MADE, DROPPED, COPY_DROPPED -> length == ZONE_BYTES;
            case SEGMENT, SEALED -> length == SEGMENT_BYTES;
            case REPLACED -> length >= NUMBERS_AT && bytes.byteSize() - at >= HEAD_BYTES + NUMBERS_AT
                && length == numbersBytes(LittleEndian.getShort(bytes, at + HEAD_BYTES + MADE_COUNT_AT),
                    LittleEndian.getShort(bytes, at + HEAD_BYTES + GONE_COUNT_AT));
            case TRIMMED -> length == Long.BYTES;
            case OPENED, CLOSED, FRAME_FILE -> length == PAIR_BYTES;
            case BEGUN -> length == BEGUN_BYTES;
            case RING_SYNCED -> length == 0;
            default -> false;
        };
    }

    /** Returns why no record has the bytes at an offset, whose length lies within the bytes. */
    static String unknown(MemorySegment bytes, long at, int length) {
        final boolean isLog = LittleEndian.getShort(bytes, at + TYPE_AT) == LOG && length == LOG_BYTES
            && LittleEndian.getLong(bytes, at + HEAD_BYTES) == MAGIC;
        return !isLog ? "a record of an unknown kind" : "its version is "
            + Integer.toUnsignedString(LittleEndian.getInt(bytes, at + HEAD_BYTES + VERSION_AT)) + ", not "
            + FileHead.VERSION + ", " + FileHead.VERSION_OF_COPIES + " or " + FileHead.VERSION_OF_BYTES;
    }

    /** Reads the record at an offset, whose length lies within the bytes; null if no record has these bytes. */
    static @Nullable ManifestRecord read(MemorySegment bytes, long at, int length) {
        final long body = at + HEAD_BYTES;
        return switch (LittleEndian.getShort(bytes, at + TYPE_AT)) {
            case LOG -> length == LOG_BYTES ? readLog(bytes, body) : null;
            case MADE -> length == ZONE_BYTES && isZone(bytes, body)
                ? new ManifestRecord.ZoneMade(readZone(bytes, body)) : null;
            case DROPPED -> length == ZONE_BYTES && isZone(bytes, body)
                ? new ManifestRecord.ZoneDropped(readZone(bytes, body)) : null;
            case SEGMENT -> length == SEGMENT_BYTES && isZone(bytes, body)
                ? new ManifestRecord.SegmentMade(readSegment(bytes, body)) : null;
            case SEALED -> length == SEGMENT_BYTES && isZone(bytes, body)
                ? new ManifestRecord.SegmentSealed(readSegment(bytes, body)) : null;
            case REPLACED -> length >= NUMBERS_AT && isZone(bytes, body) ? readReplaced(bytes, body, length) : null;
            case TRIMMED -> length == Long.BYTES ? new ManifestRecord.Trimmed(LittleEndian.getLong(bytes, body)) : null;
            case OPENED -> length == PAIR_BYTES ? new ManifestRecord.Opened(
                new UUID(LittleEndian.getLong(bytes, body), LittleEndian.getLong(bytes, body + Long.BYTES))) : null;
            case CLOSED -> length == PAIR_BYTES ? new ManifestRecord.Closed(LittleEndian.getLong(bytes, body),
                LittleEndian.getLong(bytes, body + Long.BYTES)) : null;
            case BEGUN -> length == BEGUN_BYTES ? new ManifestRecord.Begun(LittleEndian.getInt(bytes, body),
                LittleEndian.getLong(bytes, body + NEXT_AT)) : null;
            case FRAME_FILE -> length == PAIR_BYTES ? new ManifestRecord.FrameFile(LittleEndian.getLong(bytes, body),
                LittleEndian.getLong(bytes, body + Long.BYTES)) : null;
            case RING_SYNCED -> length == 0 ? new ManifestRecord.RingSynced() : null;
            case COPY_DROPPED -> length == ZONE_BYTES && isZone(bytes, body) ? new ManifestRecord.CopyDropped(
                LittleEndian.getShort(bytes, body), LittleEndian.getInt(bytes, body + ZONE_AT)) : null;
            default -> null;
        };
    }

    private static ManifestRecord.@Nullable Log readLog(MemorySegment bytes, long body) {
        final int version = LittleEndian.getInt(bytes, body + VERSION_AT);
        return LittleEndian.getLong(bytes, body) != MAGIC
            || !FileHead.isKnown(version) ? null
            : new ManifestRecord.Log(LittleEndian.getLong(bytes, body + ID_AT),
                LittleEndian.getLong(bytes, body + SALT_AT),
                LittleEndian.getInt(bytes, body + SIZE_AT), LittleEndian.getInt(bytes, body + NID_AT), version);
    }

    private static boolean isZone(MemorySegment bytes, long body) {
        return ZoneId.isOwner(LittleEndian.getShort(bytes, body));
    }

    private static ZoneId readZone(MemorySegment bytes, long body) {
        return new ZoneId(LittleEndian.getShort(bytes, body), LittleEndian.getInt(bytes, body + ZONE_AT));
    }

    private static SegmentId readSegment(MemorySegment bytes, long body) {
        return readZone(bytes, body).segment(LittleEndian.getLong(bytes, body + ZONE_BYTES));
    }

    private static ManifestRecord.@Nullable SegmentsReplaced readReplaced(MemorySegment bytes, long body, int length) {
        final int made = LittleEndian.getShort(bytes, body + MADE_COUNT_AT);
        final int gone = LittleEndian.getShort(bytes, body + GONE_COUNT_AT);
        if (length != numbersBytes(made, gone)) {
            return null;
        }
        final long[] numbers = LongStream.range(0, made + gone)
            .map(i -> LittleEndian.getLong(bytes, body + NUMBERS_AT + i * Long.BYTES)).toArray();
        return new ManifestRecord.SegmentsReplaced(readZone(bytes, body),
            LongStream.of(numbers).limit(made).boxed().toList(), LongStream.of(numbers).skip(made).boxed().toList());
    }
}
