package io.teff.recovery.log.read;

import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Shows records up to the first that names a zone which is not known: neither that one nor any behind it. The bytes
 * that it is shown must stay until {@link #end}. For one thread.
 */
public final class KnownPrefix implements EntryVisitor {
    private final Predicate<ZoneId> isKnown;
    private final EntryVisitor target;
    private final List<Runnable> entries = new ArrayList<>();
    private long recordPosition;
    private boolean isGroup;
    private boolean isOver;

    /**
     * Shows what is known.
     *
     * @param isKnown tells of each zone
     * @param target is shown the records
     */
    public KnownPrefix(Predicate<ZoneId> isKnown, EntryVisitor target) {
        this.isKnown = isKnown;
        this.target = target;
    }

    @Override
    public void record(long position, boolean group) {
        end();
        recordPosition = position;
        isGroup = group;
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        isOver = isOver || !isKnown.test(new ZoneId(owner, zone));
        if (!isOver) {
            entries.add(() -> target.entry(cid, sequence, owner, zone, kind, bytes, offset, length));
        }
    }

    /** Ends the last record. */
    public void end() {
        if (!entries.isEmpty() && !isOver) {
            target.record(recordPosition, isGroup);
            entries.forEach(Runnable::run);
        }
        entries.clear();
    }
}
