package io.teff.engine.raw;

/** A change of a {@link RawCollection}. */
public interface RawStep {
    /** {@return whether the change may add something: the journal may refuse such a change earlier than a removal} */
    boolean mayAdd();

    /**
     * Changes the content of the collection.
     *
     * @return whether anything has changed
     */
    boolean run();

    /** Called when the content has changed in memory, before the journal gets the group of the change. */
    void changed();

    /** Called when the journal has the group, if there is one, before other threads use the content. */
    void recorded();
}
