package io.teff.engine.chunk;

/** Work on a whole store that is due after some changes of chunks. */
public interface Upkeep {
    /** Called after a change that may take memory, outside all stripes, by the thread that made it; may wait. */
    void changed();

    /** Called after a change that only frees memory, outside all stripes, by the thread that made it. Never waits. */
    void removed();

    /**
     * Called after a change that found no memory, outside all stripes and locks. Frees memory that is only scattered.
     *
     * @return whether the change should be tried again
     */
    boolean makesRoom();
}
