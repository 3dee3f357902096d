package io.teff.recovery.log;

import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Shows what is in records whose zones are known; of a group all or nothing. The bytes that it is shown must stay until
 * {@link #end}. For one thread.
 */
final class KnownGroups implements EntryVisitor {
    private final Predicate<ZoneId> isKnown;
    private final EntryVisitor target;
    private final List<Runnable> entries = new ArrayList<>();
    private long recordPosition;
    private boolean isGroup;
    private boolean hasUnknown;

    /**
     * Shows what is known.
     *
     * @param isKnown tells of each zone
     * @param target is shown its entries
     */
    KnownGroups(Predicate<ZoneId> isKnown, EntryVisitor target) {
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
        if (isKnown.test(new ZoneId(owner, zone))) {
            entries.add(() -> target.entry(cid, sequence, owner, zone, kind, bytes, offset, length));
        } else {
            hasUnknown = true;
        }
    }

    /** Ends the last record. */
    void end() {
        if (!entries.isEmpty() && !(isGroup && hasUnknown)) {
            target.record(recordPosition, isGroup);
            entries.forEach(Runnable::run);
        }
        entries.clear();
        hasUnknown = false;
    }
}
