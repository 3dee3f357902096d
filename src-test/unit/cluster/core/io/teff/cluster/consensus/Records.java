package io.teff.cluster.consensus;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Records of the replicated log that no superpeer writes. */
public final class Records {
    private static final int LEVEL_AT = 4;
    private static final int CRC_AT = 8;
    private static final int BEHIND_CRC = 12;

    private Records() {}

    /** Gives a record the right checksum. */
    public static byte[] sealed(byte[] record) {
        CRC32C crc = new CRC32C();
        crc.update(record, 0, CRC_AT);
        crc.update(record, BEHIND_CRC, record.length - BEHIND_CRC);
        ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).putInt(CRC_AT, (int) crc.getValue());
        return record;
    }

    /** Gives a record a level, and the right checksum. */
    public static byte[] ofLevel(int level, byte[] record) {
        ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).putShort(LEVEL_AT, (short) level);
        return sealed(record);
    }
}
