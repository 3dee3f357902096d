package io.teff.cluster.archive;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects the entries that an owner sends of a zone, and writes the file of the zone from these entries. Recorded
 * entries arrive by index, and go to a temporary file as they arrive. Of the changes beside them, the last one of each
 * index is kept. For one thread.
 */
final class ZoneCapture implements Closeable {
    private static final int PIECE_BYTES = 1 << 20;

    private final Disk disk;
    private final Path temporary;
    private final DiskFile raw;
    private final int zone;
    private final @Nullable ZoneChain base;
    private final NavigableMap<Long, Change> changes = new TreeMap<>();
    private final NavigableMap<Long, Change> removals = new TreeMap<>();
    private long bytes;
    private long at;
    private final EntryBytes block = new EntryBytes();
    private long blockNumber = -1;

    /** The last change of an index; a content is in the temporary file. */
    private record Change(long cid, long number, int kind, long offset, int length) {
        /** Returns whether this change counts, and not an entry with a number. */
        boolean isAfter(long other) {
            return Long.compareUnsigned(number, other) >= 0;
        }
    }

    ZoneCapture(Disk disk, Path folder, int zone, @Nullable ZoneChain base) throws IOException {
        this.disk = disk;
        this.zone = zone;
        this.base = base;
        temporary = folder.resolve(Manifest.fileOf(zone) + ".raw");
        Manifest.deleteIfThere(disk, temporary);
        raw = disk.create(temporary, 0);
    }

    /** Takes the entries of an answer. */
    void take(byte[] entries) throws IOException {
        final String fault = EntryBytes.fault(entries, zone);
        if (fault != null) {
            throw new IOException("the owner of zone " + zone + " has sent what is no entry: " + fault);
        }
        final EntryBytes all = EntryBytes.of(entries);
        while (all.next()) {
            final long index = EntryBytes.index(all.cid());
            if (all.isChange() || all.kind() == Journal.REMOVED) {
                final Change change = new Change(all.cid(), all.number(), all.kind(), bytes + all.offset(),
                    all.length());
                (all.isChange() ? changes : removals).merge(index, change, ZoneCapture::later);
            }
        }
        raw.write(ByteBuffer.wrap(entries), bytes);
        bytes += entries.length;
    }

    private static Change later(Change known, Change next) {
        final boolean isNext = next.kind() == Journal.REMOVED ? next.isAfter(known.number()) : !known.isAfter(
            next.number());
        return isNext ? next : known;
    }

    // ---- the file ----

    /** Writes the file of the zone. */
    Manifest.Zone write(Path path, ClusterId cluster, BackupId backup, long cut) throws IOException {
        removals.forEach((index, removal) -> changes.merge(index, removal, ZoneCapture::later));
        final NavigableMap<Long, Change> left = new TreeMap<>(changes);
        final NavigableMap<Long, Change> removed = new TreeMap<>();
        try (ZoneFileWriter writer = new ZoneFileWriter(disk, path, cluster, backup, zone, cut)) {
            for (EntryBytes piece = next(); piece != null; piece = next()) {
                while (piece.next()) {
                    if (piece.isChange() || piece.kind() == Journal.REMOVED) {
                        continue;
                    }
                    if (piece.kind() == EntryBytes.SAME) {
                        addSame(EntryBytes.index(piece.cid()), left, removed, writer);
                    } else {
                        add(piece, left, removed, writer);
                    }
                }
            }
            addChanges(left, Long.MAX_VALUE, removed, writer);
            endBlock(writer);
            writer.end(removed.values().stream().mapToLong(Change::cid).toArray());
            return new Manifest.Zone(zone, cut, writer.chunks(), writer.payloadBytes(), writer.length());
        }
    }

    /** Returns the next entries of the temporary file; null at the end. */
    private @Nullable EntryBytes next() throws IOException {
        if (at == bytes) {
            return null;
        }
        byte[] piece = read(at, (int) Math.min(PIECE_BYTES, bytes - at));
        int whole = EntryBytes.whole(piece);
        if (whole == 0) {
            piece = read(at, (int) Math.min(EntryBytes.HEAD_BYTES + EntryBytes.CONTENT_BYTES_MAX, bytes - at));
            whole = EntryBytes.whole(piece);
        }
        at += whole;
        return EntryBytes.of(Arrays.copyOf(piece, whole));
    }

    private byte[] read(long offset, int length) throws IOException {
        final ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining()) {
            if (raw.read(target, offset + target.position()) <= 0) {
                throw new IOException(temporary + " ends too early");
            }
        }
        return target.array();
    }

    private void addSame(long first, NavigableMap<Long, Change> left, NavigableMap<Long, Change> removed,
                         ZoneFileWriter writer) throws IOException {
        if (base == null) {
            throw new IOException("the owner of zone " + zone + " names a block that it was not asked for");
        }
        final EntryBytes entries = base.entries(first / BlockDigest.INDEXES);
        while (entries.next()) {
            add(entries, left, removed, writer);
        }
    }

    /** Adds a recorded entry, or the change that is later, and the changes of indexes before. */
    private void add(EntryBytes entry, NavigableMap<Long, Change> left, NavigableMap<Long, Change> removed,
                     ZoneFileWriter writer) throws IOException {
        final long index = EntryBytes.index(entry.cid());
        addChanges(left, index, removed, writer);
        final Change change = left.remove(index);
        if (change != null && change.isAfter(entry.number())) {
            add(change, removed, writer);
        } else {
            enter(index, writer);
            block.add(entry);
        }
    }

    private void addChanges(NavigableMap<Long, Change> left, long before, NavigableMap<Long, Change> removed,
                            ZoneFileWriter writer) throws IOException {
        while (!left.isEmpty() && left.firstKey() < before) {
            add(left.pollFirstEntry().getValue(), removed, writer);
        }
    }

    private void add(Change change, NavigableMap<Long, Change> removed, ZoneFileWriter writer) throws IOException {
        final long index = EntryBytes.index(change.cid());
        if (change.kind() == Journal.REMOVED) {
            removed.put(index, change);
            return;
        }
        enter(index, writer);
        final byte[] content = read(change.offset() + EntryBytes.HEAD_BYTES, change.length());
        final int to = block.begin(change.cid(), change.number(), change.kind(), change.length());
        System.arraycopy(content, 0, block.array(), to, content.length);
    }

    private void enter(long index, ZoneFileWriter writer) throws IOException {
        if (index / BlockDigest.INDEXES != blockNumber) {
            endBlock(writer);
            blockNumber = index / BlockDigest.INDEXES;
        }
    }

    private void endBlock(ZoneFileWriter writer) throws IOException {
        if (block.size() > 0) {
            writer.block(blockNumber, block, base);
            block.clear();
        }
    }

    /** Removes the temporary file. */
    @Override
    public void close() throws IOException {
        raw.close();
        disk.delete(temporary);
    }
}
