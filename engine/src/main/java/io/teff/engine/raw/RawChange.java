package io.teff.engine.raw;

import io.teff.engine.codec.Output;

/** A change of one entry of a {@link RawMap}. */
public interface RawChange {
    /** Effect on the entry. */
    enum Step {
        /** The entry stays as it is. */
        KEEP,
        /** The entry gets the value of {@link RawChange#write}. */
        PUT,
        /** The entry is removed. */
        REMOVE
    }

    /** {@return whether the change may add something: the journal may refuse such a change earlier than a removal} */
    boolean mayAdd();

    /**
     * Decides what happens.
     *
     * @param bytes has the present value from index 0 on, until this method returns
     * @param length length of the present value; negative if there is no entry
     * @param bucket the chunk that has, or would have, the entry
     * @param overflow a further chunk of the entry, or 0
     * @return what happens
     */
    Step decide(byte[] bytes, int length, long bucket, long overflow);

    /**
     * Writes the new value, after PUT.
     *
     * @param out takes the value
     */
    void write(Output out);

    /** Called when the entry has changed in memory, before the journal gets the group of the change. */
    void changed();

    /**
     * Called before an entry is put, or an existing entry is removed: may store chunks beside the map. An exception
     * refuses the change; what was stored before the exception may stay.
     *
     * @param isPut whether the entry is put
     * @param group stores chunks in the group of the change
     */
    default void before(boolean isPut, RawGroup group) {
        // most changes have nothing beside the map
    }

    /**
     * Called when the entry has changed in memory, in front of {@link #changed}. Must not fail.
     *
     * @param group changes chunks in the group of the change
     */
    default void after(RawGroup group) {
        // most changes have nothing beside the map
    }
}
