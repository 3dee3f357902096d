package io.teff.recovery.log.read;

import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Passes on records up to the first one that names an unknown zone, without that one. The bytes of a record must stay
 * unchanged until {@link #end}. For one thread.
 */
public final class KnownPrefix implements EntryVisitor {
    private final Predicate<ZoneId> isKnown;
    private final EntryVisitor target;
    private final List<Runnable> entries = new ArrayList<>();
    private long recordPosition;
    private boolean isGroup;
    private boolean isOver;

    /**
     * Passes on to a target.
     *
     * @param isKnown returns whether a zone is known
     * @param target receives the records
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
