package io.teff.engine.map;

/** A walk over entries whose keys are numbers, weakly consistent like an {@link EntryCursor}. Not thread-safe. */
public interface LongCursor {
    /** {@return whether there is a next entry, which becomes the current one} */
    boolean next();

    /** {@return the current entry's key} */
    long number();
}
