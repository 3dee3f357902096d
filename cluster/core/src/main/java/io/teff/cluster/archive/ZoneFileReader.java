package io.teff.cluster.archive;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Reads the file of a zone, and checks everything that it reads. For one thread. */
final class ZoneFileReader implements Closeable {
    private static final int BLOCK_AT = 0;
    private static final int OFFSET_AT = 8;
    private static final int BYTES_AT = 16;
    private static final int ENTRIES_AT = 20;
    private static final int CRC_AT = 24;
    private static final int DIGEST_AT = 32;

    private final Path path;
    private final DiskFile file;
    private final int zone;
    private long number;
    private long chunks;
    private long payloadBytes;
    private long length;
    private long blocksEnd;
    private ByteBuffer rows = ZoneFileLayout.buffer(0);
    private long[] removed = new long[0];

    private ZoneFileReader(Path path, DiskFile file, int zone) {
        this.path = path;
        this.file = file;
        this.zone = zone;
    }

    /** Opens the file of a zone. Throws {@link DamagedBackupException} if it is not whole, or of another backup. */
    static ZoneFileReader open(Disk disk, Path path, ClusterId cluster, BackupId backup, int zone)
        throws IOException {
        final DiskFile file;
        try {
            file = disk.openToRead(path);
        } catch (NoSuchFileException _) {
            throw new DamagedBackupException(path, "is missing");
        }
        final ZoneFileReader reader = new ZoneFileReader(path, file, zone);
        boolean isOpen = false;
        try {
            reader.readHead(cluster, backup);
            reader.readTables();
            isOpen = true;
            return reader;
        } finally {
            if (!isOpen) {
                file.close();
            }
        }
    }

    private DamagedBackupException damaged(String what) {
        return new DamagedBackupException(path, what);
    }

    private ByteBuffer read(long offset, long bytes) throws IOException {
        if (offset < 0 || bytes < 0 || bytes > Integer.MAX_VALUE - Long.BYTES || offset > length - bytes) {
            throw damaged("ends at byte " + length + ", too early");
        }
        final ByteBuffer target = ZoneFileLayout.buffer((int) bytes);
        while (target.hasRemaining()) {
            if (file.read(target, offset + target.position()) <= 0) {
                throw damaged("cannot be read at byte " + (offset + target.position()));
            }
        }
        return target.flip();
    }

    private void readHead(ClusterId cluster, BackupId backup) throws IOException {
        length = file.size();
        final ByteBuffer head = read(0, ZoneFileLayout.HEAD_BYTES);
        if (head.getInt() != ZoneFileLayout.HEAD_MAGIC || !ZoneFileLayout.isSummed(head)) {
            throw damaged("has a damaged head");
        }
        final int version = head.getInt();
        if (version != ZoneFileLayout.VERSION) {
            throw damaged("has version " + version + ", and this program reads version " + ZoneFileLayout.VERSION);
        }
        final ClusterId of = new ClusterId(head.getLong(), head.getLong(), "");
        if (!of.isSame(cluster)) {
            throw damaged("is of " + of + ", not of " + cluster);
        }
        final BackupId own = new BackupId(head.getLong(), head.getLong());
        if (!own.equals(backup)) {
            throw damaged("is of backup " + own.hex() + ", not of backup " + backup.hex());
        }
        final int found = head.getInt();
        if (found != zone) {
            throw damaged("has zone " + found + ", not zone " + zone);
        }
        number = head.getLong(Long.BYTES * 6);
    }

    private void readTables() throws IOException {
        final ByteBuffer foot = read(length - ZoneFileLayout.FOOT_BYTES, ZoneFileLayout.FOOT_BYTES);
        if (foot.getInt() != ZoneFileLayout.FOOT_MAGIC || !ZoneFileLayout.isSummed(foot)) {
            throw damaged("has a damaged end, or was cut at byte " + length);
        }
        foot.getInt();
        final long rowCount = foot.getInt();
        foot.getInt();
        blocksEnd = foot.getLong();
        final long removedCount = foot.getLong();
        final long rowsAt = foot.getLong();
        chunks = foot.getLong();
        payloadBytes = foot.getLong();
        if (removedCount < 0 || removedCount > length / Long.BYTES
            || rowsAt != blocksEnd + removedCount * Long.BYTES
            || rowsAt + rowCount * ZoneFileLayout.ROW_BYTES + ZoneFileLayout.FOOT_BYTES != length) {
            throw damaged("has tables that do not fit");
        }
        final ByteBuffer cids = read(blocksEnd, removedCount * Long.BYTES);
        rows = read(rowsAt, rowCount * ZoneFileLayout.ROW_BYTES);
        final CRC32C crc = new CRC32C();
        crc.update(cids.array());
        crc.update(rows.array());
        if ((int) crc.getValue() != foot.getInt()) {
            throw damaged("has damaged tables");
        }
        removed = new long[(int) removedCount];
        cids.asLongBuffer().get(removed);
    }

    // ---- content ----

    /** Returns the number of the cut. */
    long number() {
        return number;
    }

    long chunks() {
        return chunks;
    }

    long payloadBytes() {
        return payloadBytes;
    }

    long length() {
        return length;
    }

    long[] removed() {
        return removed;
    }

    int rows() {
        return rows.capacity() / ZoneFileLayout.ROW_BYTES;
    }

    long block(int row) {
        return rows.getLong(row * ZoneFileLayout.ROW_BYTES + BLOCK_AT);
    }

    boolean isInBase(int row) {
        return rows.getLong(row * ZoneFileLayout.ROW_BYTES + OFFSET_AT) == ZoneFileLayout.IN_BASE;
    }

    byte[] digest(int row) {
        final int at = row * ZoneFileLayout.ROW_BYTES + DIGEST_AT;
        return Arrays.copyOfRange(rows.array(), at, at + BlockDigest.BYTES);
    }

    /** Returns the row of a block, or -1. */
    int row(long block) {
        int low = 0;
        int high = rows() - 1;
        while (low <= high) {
            final int middle = low + high >>> 1;
            final long found = block(middle);
            if (found == block) {
                return middle;
            }
            if (found < block) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** Reads the entries of a row of this file. */
    EntryBytes entries(int row) throws IOException {
        final int at = row * ZoneFileLayout.ROW_BYTES;
        final long offset = rows.getLong(at + OFFSET_AT);
        final ByteBuffer bytes = read(offset, rows.getInt(at + BYTES_AT));
        if (ZoneFileLayout.crc(bytes.array(), 0, bytes.capacity()) != rows.getInt(at + CRC_AT)) {
            throw damaged("is damaged between byte " + offset + " and " + (offset + bytes.capacity()));
        }
        final String fault = EntryBytes.fault(bytes.array(), zone);
        if (fault != null) {
            throw damaged("has a block that is none: " + fault);
        }
        final EntryBytes entries = EntryBytes.of(bytes.array());
        check(entries, row);
        return entries;
    }

    /** Checks entries against the digest of a row. */
    void check(EntryBytes entries, int row) throws IOException {
        final BlockDigest digest = new BlockDigest();
        int count = 0;
        entries.rewind();
        while (entries.next()) {
            digest.add(entries);
            count++;
        }
        entries.rewind();
        if (count != rows.getInt(row * ZoneFileLayout.ROW_BYTES + ENTRIES_AT)
            || !Arrays.equals(digest.end(), digest(row))) {
            throw damaged("has a block of another content than its digest, from index "
                + block(row) * BlockDigest.INDEXES + " on");
        }
    }

    /** Reads all blocks of this file; throws for the first damage. */
    void verify() throws IOException {
        long at = ZoneFileLayout.HEAD_BYTES;
        for (int row = 0; row < rows(); row++) {
            if (!isInBase(row)) {
                if (rows.getLong(row * ZoneFileLayout.ROW_BYTES + OFFSET_AT) != at) {
                    throw damaged("has bytes outside of its blocks at byte " + at);
                }
                at += entries(row).size();
            }
        }
        if (at != blocksEnd) {
            throw damaged("has bytes outside of its blocks at byte " + at);
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
