package io.teff.cluster.collect;

import io.teff.engine.ChunkStore;
import io.teff.engine.raw.RawCollection;
import org.jspecify.annotations.Nullable;

/**
 * A queue, list or sorted map at its owner. The fields are guarded by the lock of the collection, unless they say
 * otherwise.
 *
 * <p>A reader sees all changes made before, and some of these changes may be lost with the owner. So the answer of a
 * reader waits for the record of the last change, and not for other changes of the zone.
 */
public final class ServedCollection {
    private final RawCollection content;
    private final ListRevisions revisions;
    private long lastNumber;
    /** Bounds of a sorted map that was split; else null. */
    private @Nullable MapPart part;
    /** Written by the thread that looks at sizes, read by requests: a late view costs a look. */
    private volatile boolean fills;
    private boolean hasHold;
    private long heldUntilNs;

    ServedCollection(RawCollection content, int epoch, @Nullable MapPart part) {
        this.content = content;
        this.part = part;
        revisions = new ListRevisions(epoch);
    }

    /** {@return the collection} */
    public RawCollection content() {
        return content;
    }

    /** {@return whether the collection was dropped: each operation on it throws} */
    public boolean isDropped() {
        try {
            content.content().longSize();
            return false;
        } catch (IllegalStateException _) {
            return true;
        }
    }

    /** {@return the last changes of a list} */
    public ListRevisions revisions() {
        return revisions;
    }

    /** {@return bounds and split of a sorted map; null if the map was never split} */
    public @Nullable RangeState part() {
        return part == null ? null : part.state();
    }

    /**
     * Records other bounds of a sorted map, inside of the gate.
     *
     * @param view the served view of the zone
     * @param next the bounds
     * @throws io.teff.engine.error.StoreException of category DEGRADED if there is no memory: the bounds are as before
     */
    public void setPart(ChunkStore view, RangeState next) {
        if (part == null) {
            part = MapPart.make(view, content.root(), next);
        } else {
            part.set(view, next);
        }
    }

    /**
     * Notes whether the collection fills its zone.
     *
     * @param isFilling whether the collection does
     */
    void fills(boolean isFilling) {
        fills = isFilling;
    }

    /** {@return whether the collection fills its zone, so that clients split a sorted map} */
    public boolean fills() {
        return fills;
    }

    /**
     * Has the part hold its splits until a time. The hold ends with the owner, so a caller looks at the bounds again at
     * the end.
     *
     * @param untilNs the time; a time that is over ends the hold
     */
    public void holdUntil(long untilNs) {
        hasHold = true;
        heldUntilNs = untilNs;
    }

    /**
     * {@return whether the part holds its splits}
     *
     * @param nowNs the present time
     */
    public boolean isHeld(long nowNs) {
        return hasHold && nowNs - heldUntilNs < 0;
    }

    /** {@return the number of the record of the last change; 0 if this owner has made no change} */
    public long lastNumber() {
        return lastNumber;
    }

    /**
     * Notes the record of a change.
     *
     * @param number its number, or 0 if there is none
     */
    public void recorded(long number) {
        lastNumber = Math.max(lastNumber, number);
    }
}
