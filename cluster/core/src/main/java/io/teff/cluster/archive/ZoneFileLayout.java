package io.teff.cluster.archive;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Layout of the file of a zone in a backup. Numbers are little-endian, checksums CRC-32C.
 * <pre>
 *  head  0       4         8            24          40     44      48       56      60         64
 *       +-------+---------+------------+-----------+------+-------+--------+-------+----------+
 *       |"TFZB" | version | cluster    | backup    | zone | zeros | number | zeros | checksum |
 *       +-------+---------+------------+-----------+------+-------+--------+-------+----------+
 *  blocks: entries of {@link EntryBytes}, by index
 *  removed: CIDs (8 each)
 *  row   0       8        16      20        24         28      32       48     of each block, in their order
 *       +-------+--------+-------+---------+----------+-------+--------+
 *       | block | offset | bytes | entries | checksum | zeros | digest |      offset -1: the block is that of the base
 *       +-------+--------+-------+---------+----------+-------+--------+
 *  foot  0       4         8       12        16        24       32        40       48        56         60      64
 *       +-------+---------+-------+---------+---------+--------+---------+--------+---------+----------+-------+
 *       |"TFZE" | version | rows  | zeros   | removed | number | rows    | chunks | payload | checksum | check |
 *       |       |         |       |         | offset  | of CIDs| offset  |        | bytes   | of both  | sum   |
 *       +-------+---------+-------+---------+---------+--------+---------+--------+---------+----------+-------+
 * </pre>
 */
final class ZoneFileLayout {
    static final int VERSION = 1;
    static final int HEAD_BYTES = 64;
    static final int FOOT_BYTES = 64;
    static final int ROW_BYTES = 48;
    static final long IN_BASE = -1;
    static final int HEAD_MAGIC = 'T' | 'F' << 8 | 'Z' << 16 | 'B' << 24;
    static final int FOOT_MAGIC = 'T' | 'F' << 8 | 'Z' << 16 | 'E' << 24;

    private ZoneFileLayout() {}

    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static int crc(byte[] bytes, int from, int length) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** Sets the checksum in the last 4 bytes. */
    static ByteBuffer summed(ByteBuffer bytes) {
        final int at = bytes.capacity() - Integer.BYTES;
        bytes.putInt(at, crc(bytes.array(), 0, at));
        return bytes.clear();
    }

    static boolean isSummed(ByteBuffer bytes) {
        final int at = bytes.capacity() - Integer.BYTES;
        return bytes.getInt(at) == crc(bytes.array(), 0, at);
    }
}
