package io.teff.engine.chunk;

import java.util.function.LongSupplier;

/** Work on a whole store that is due after some changes of chunks. */
public interface Upkeep {
    /** Called after a change that may take memory, outside all stripes, by the thread of the change; may wait. */
    void changed();

    /** Called after a change that only frees memory, outside all stripes, by the thread of the change. Never waits. */
    void removed();

    /**
     * Called after a change that found no memory, outside all stripes and locks. Repeats the change while memory of
     * dropped zones comes back, once more if scattered memory could be freed, and once more if free memory in pieces
     * could be joined.
     *
     * @param change makes the change again; returns its result, FULL if it finds no memory
     * @return result of the last repetition; FULL if there was none
     */
    long repeat(LongSupplier change);
}
