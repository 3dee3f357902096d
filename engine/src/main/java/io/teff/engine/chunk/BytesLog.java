package io.teff.engine.chunk;

import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.journal.Journal;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import org.jspecify.annotations.Nullable;

/**
 * Records changed bytes of single chunks, in place of whole chunks. Each record is made inside the chunk's stripe,
 * while no thread but the calling one holds the chunk, and names the chunk's record before ({@link LastRecords}).
 * Thread-safe.
 */
final class BytesLog {
    private final ChunkSpace space;
    private final Journal journal;
    private final ChangeLog whole;
    private final LastRecords last;
    private final Memory memory;
    private final long[] abandoned;
    private final ThreadLocal<ContentDiff> diffs = ThreadLocal.withInitial(ContentDiff::new);

    /**
     * Begins to record.
     *
     * @param space the store's chunks
     * @param journal takes bytes of chunks
     * @param whole records whole chunks
     * @param last the last records
     */
    BytesLog(ChunkSpace space, Journal journal, ChangeLog whole, LastRecords last) {
        this.space = space;
        this.journal = journal;
        this.whole = whole;
        this.last = last;
        this.memory = space.memory;
        this.abandoned = journal.abandoned().places();
    }

    /** Returns whether a change of so many consecutive bytes can be recorded, unless another change comes first. */
    boolean hasRoom(long cid, long changedBytes) {
        return changedBytes < Journal.CONTENT_BYTES_MAX && changedBytes + ChangedBytes.HEAD_BYTES
            + 2 * ChangedBytes.NUMBER_BYTES_MAX <= last.leftBytes(cid, last.of(cid));
    }

    /** Closes the chunk's slot, and returns the number that {@link #record} needs; called inside the stripe. */
    long before(long cid) {
        final long number = last.of(cid);
        last.close(cid);
        return number;
    }

    /** Records consecutive bytes, or the whole chunk if that is better; called inside the stripe. */
    void record(long cid, long before, long offset, long length) {
        if (length > Journal.CONTENT_BYTES_MAX) {
            whole.recordChange(cid);
            return;
        }
        final ContentDiff diff = diffs.get();
        diff.clear();
        diff.add((int) offset, (int) (offset + length));
        record(cid, before, diff);
    }

    private void record(long cid, long before, ContentDiff diff) {
        final long word = space.word(cid);
        if (diff.contentBytes() > last.leftBytes(cid, before)) {
            whole.record(cid, word);
            return;
        }
        try {
            last.bytes(cid, write(cid, word, before, diff), diff.contentBytes());
        } catch (InternalError e) {
            throw journal.memoryFailed(e);
        }
    }

    /** Writes a record, and returns its number. Catches nothing: to resolve a class may need stack. */
    private long write(long cid, long word, long before, ContentDiff diff) {
        final long[] left = abandoned;
        final long record = journal.claim(CidLayout.nid(cid), 1, diff.contentBytes());
        boolean isCommitted = false;
        try {
            final long length = space.chunks.length(word);
            last.claimed(cid, record, length);
            diff.write(memory, EntryWord.address(word), (int) length, before, journal.memory(),
                journal.entry(record, 0, cid, Journal.BYTES, diff.contentBytes(), 0));
            journal.commit(record, false);
            isCommitted = true;
            return record;
        } finally {
            if (!isCommitted) {
                // The stack may have ended, so there is no call from here on.
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }

    // ---- scopes ----

    /**
     * The content of a held chunk before a scope changes it.
     *
     * @param number of the chunk's last record
     * @param content of the whole chunk
     */
    record Image(long number, byte[] content) {}

    /** Takes an image of a chunk under an exclusive hold; null if its change will be recorded as a whole. */
    @Nullable Image image(long cid) {
        final long word = space.word(cid);
        final long length = space.chunks.length(word);
        final long number = length > Thresholds.OPTIMISTIC_BYTES_MAX ? LastRecords.NONE : before(cid);
        if (number == LastRecords.NONE) {
            return null;
        }
        final byte[] content = new byte[(int) length];
        memory.copyOut(EntryWord.address(word), content, 0, content.length);
        return new Image(number, content);
    }

    /** Records what has changed since an image; called under the same exclusive hold, outside of the stripe. */
    void record(long cid, Image image) {
        final int length = image.content.length;
        final ContentDiff diff = diffs.get();
        final byte[] now = diff.room(length);
        memory.copyOut(EntryWord.address(space.word(cid)), now, 0, length);
        if (diff.compare(image.content, 0, now, length, length / 2) == ContentDiff.TOO_MUCH) {
            whole.recordHeld(cid);
            return;
        }
        journal.awaitRoom(1, length);
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            space.stripes.checkOpen();
            record(cid, image.number, diff);
        } finally {
            space.stripes.leave(stripe);
        }
    }
}
