package io.teff.cluster.archive;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A zone of a backup: its file, and the files of the backups on which it is based, the newest first. One thread. */
final class ZoneChain implements Closeable {
    private final List<ZoneFileReader> files;

    ZoneChain(List<ZoneFileReader> files) {
        this.files = List.copyOf(files);
    }

    ZoneFileReader newest() {
        return files.getFirst();
    }

    /** Returns the digest of a block, or null. */
    byte @Nullable [] digest(long block) {
        final int row = newest().row(block);
        return row < 0 ? null : newest().digest(row);
    }

    /** Returns the digests of all blocks, by number of the block; zeros for a block without chunks. */
    byte[] digests() {
        final ZoneFileReader file = newest();
        final int rows = file.rows();
        final long end = rows == 0 ? 0 : file.block(rows - 1) + 1;
        if (end * BlockDigest.BYTES > ArchiveRequest.BYTES_MAX / 2) {
            return ArchiveRequest.NONE;                         // a zone with few chunks at high indexes is sent whole
        }
        final byte[] all = new byte[(int) end * BlockDigest.BYTES];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(file.digest(row), 0, all, (int) file.block(row) * BlockDigest.BYTES, BlockDigest.BYTES);
        }
        return all;
    }

    /** Reads a block. Throws {@link DamagedBackupException} if the block is in none of the files. */
    EntryBytes entries(long block) throws IOException {
        final int first = newest().row(block);
        for (ZoneFileReader file : files) {
            final int row = file.row(block);
            if (row >= 0 && !file.isInBase(row)) {
                final EntryBytes entries = file.entries(row);
                newest().check(entries, first);
                return entries;
            }
        }
        throw new DamagedBackupException(newest().path(), "names a block that its base does not have, from index "
            + block * BlockDigest.INDEXES + " on");
    }

    /** Returns the entries of the next row. */
    EntryBytes entriesOf(int row) throws IOException {
        return entries(newest().block(row));
    }

    @Override
    public void close() throws IOException {
        for (ZoneFileReader file : files) {
            file.close();
        }
    }
}
