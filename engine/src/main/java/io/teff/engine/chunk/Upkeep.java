package io.teff.engine.chunk;

/** Work on a whole store that is due after some changes of chunks. */
@FunctionalInterface
public interface Upkeep {
    /** Called after a change, outside all stripes, by the thread that made it. Cheap if nothing is due. */
    void changed();
}
