package io.teff.recovery.log.clean;

import io.teff.engine.Cid;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Counts the live entries of a zone, and passes the entries on to a visitor without a count. For one pass. */
public final class Counting implements ZoneVisitor {
    private final EntryVisitor visitor;
    private final Liveness liveness;
    private final Look look;
    private long highestIndex = -1;
    private @Nullable Live live;

    /**
     * Begins without entries.
     *
     * @param zone of the entries
     * @param visitor receives them
     */
    public Counting(ZoneId zone, EntryVisitor visitor) {
        this.visitor = visitor;
        this.liveness = new Liveness(zone.owner(), zone.zone(), 1);
        this.look = new Look(liveness, 0);
    }

    @Override
    public void segment(long bytes) {
        visitor.segment(bytes);
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        highestIndex = Math.max(highestIndex, Cid.index(cid));
        look.entry(cid, sequence, owner, zone, kind, bytes, offset, length);
        visitor.entry(cid, sequence, owner, zone, kind, bytes, offset, length);
    }

    /** Ends the pass, and returns the live entries. */
    @Override
    public Live live() {
        Live known = live;
        if (known == null) {
            liveness.end();
            known = new Live(liveness.liveBytes(0), highestIndex);
            live = known;
        }
        return known;
    }
}
