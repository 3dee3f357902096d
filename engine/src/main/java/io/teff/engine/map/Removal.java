package io.teff.engine.map;

/** Result of the removal of an entry whose value was tested before. */
public enum Removal {
    /** The entry still had the value, and was removed. */
    REMOVED,
    /** There is no entry. */
    ABSENT,
    /** The entry has another value, and was not removed. */
    CHANGED
}
