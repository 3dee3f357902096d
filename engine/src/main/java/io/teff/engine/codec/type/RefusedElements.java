package io.teff.engine.codec.type;

/** Elements, and keys of a map, that a container of a declared type refuses. */
public enum RefusedElements {
    /** Nothing: lists, and queues by interface. */
    NOTHING,
    /** Nulls: queues of most classes. */
    NULLS,
    /** Elements that are equal to another, and perhaps nulls: sets and maps. */
    EQUALS,
    /** Elements without a natural order: priority queues. */
    UNORDERED,
    /** Elements without a natural order and elements that are equal to another: sorted sets and maps. */
    UNORDERED_AND_EQUALS;

    /** Returns whether the elements are in natural order. */
    public boolean isSorted() {
        return this == UNORDERED || this == UNORDERED_AND_EQUALS;
    }

    /** Returns whether an element occurs at most once. */
    public boolean isDistinct() {
        return this == EQUALS || this == UNORDERED_AND_EQUALS;
    }
}
