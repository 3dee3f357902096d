package io.teff.cluster.archive;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Writes the file of a zone from front to end, under a temporary name until the end. For one thread. */
final class ZoneFileWriter implements Closeable {
    private static final String UNFINISHED = ".tmp";

    private final Disk disk;
    private final Path path;
    private final Path temporary;
    private final DiskFile file;
    private final BlockDigest digest = new BlockDigest();
    private ByteBuffer rows = ZoneFileLayout.buffer(1 << 12);
    private int rowCount;
    private long at;
    private long chunks;
    private long payloadBytes;

    ZoneFileWriter(Disk disk, Path path, ClusterId cluster, BackupId backup, int zone, long number)
        throws IOException {
        this.disk = disk;
        this.path = path;
        temporary = path.resolveSibling(path.getFileName() + UNFINISHED);
        Manifest.deleteIfThere(disk, temporary);
        file = disk.create(temporary, 0);
        final ByteBuffer head = ZoneFileLayout.buffer(ZoneFileLayout.HEAD_BYTES);
        head.putInt(ZoneFileLayout.HEAD_MAGIC).putInt(ZoneFileLayout.VERSION).putLong(cluster.high())
            .putLong(cluster.low()).putLong(backup.high()).putLong(backup.low()).putInt(zone).putInt(0)
            .putLong(number);
        write(ZoneFileLayout.summed(head));
    }

    private void write(ByteBuffer bytes) throws IOException {
        final int length = bytes.remaining();
        file.write(bytes, at);
        at += length;
    }

    /** Writes a block, unless the base has it with the same digest. */
    void block(long number, EntryBytes entries, @Nullable ZoneChain base) throws IOException {
        int count = 0;
        entries.rewind();
        while (entries.next()) {
            digest.add(entries);
            count++;
            if (entries.kind() != Journal.RESERVED) {
                chunks++;
                payloadBytes += entries.length();
            }
        }
        final byte[] sum = digest.end();
        final boolean isSame = base != null && Arrays.equals(base.digest(number), sum);
        row(number, isSame ? ZoneFileLayout.IN_BASE : at, entries.size(), count,
            isSame ? 0 : ZoneFileLayout.crc(entries.array(), 0, entries.size()), sum);
        if (!isSame) {
            write(ByteBuffer.wrap(entries.array(), 0, entries.size()));
        }
    }

    private void row(long number, long offset, int bytes, int count, int crc, byte[] sum) {
        if (rows.remaining() < ZoneFileLayout.ROW_BYTES) {
            rows = ByteBuffer.wrap(Arrays.copyOf(rows.array(), 2 * rows.capacity())).order(ByteOrder.LITTLE_ENDIAN)
                .position(rows.position());
        }
        rows.putLong(number).putLong(offset).putInt(bytes).putInt(count).putInt(crc).putInt(0).put(sum);
        rowCount++;
    }

    /** Ends the file, and gives it its name. */
    void end(long[] removed) throws IOException {
        final CRC32C crc = new CRC32C();
        final ByteBuffer cids = ZoneFileLayout.buffer(Math.multiplyExact(removed.length, Long.BYTES));
        for (long cid : removed) {
            cids.putLong(cid);
        }
        final long removedAt = at;
        crc.update(cids.array());
        write(cids.clear());
        final long rowsAt = at;
        crc.update(rows.array(), 0, rows.position());
        write(rows.flip());
        final ByteBuffer foot = ZoneFileLayout.buffer(ZoneFileLayout.FOOT_BYTES);
        foot.putInt(ZoneFileLayout.FOOT_MAGIC).putInt(ZoneFileLayout.VERSION).putInt(rowCount).putInt(0)
            .putLong(removedAt).putLong(removed.length).putLong(rowsAt).putLong(chunks).putLong(payloadBytes)
            .putInt((int) crc.getValue());
        write(ZoneFileLayout.summed(foot));
        file.force();
        file.close();
        disk.rename(temporary, path);
    }

    /** Returns the bytes of the file until now. */
    long length() {
        return at;
    }

    long chunks() {
        return chunks;
    }

    long payloadBytes() {
        return payloadBytes;
    }

    /** Closes the file; an unfinished file stays under its temporary name, and is overwritten later. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
