package io.teff.engine.zone;

import io.teff.engine.Cid;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of a group of changes, with its conditions and its change; see {@link ZoneChanges#change}. The arrays must
 * not be changed during the call.
 *
 * @param cid the chunk
 * @param condition what must hold
 * @param expected the whole content that the chunk must have, for {@link Condition#EQUAL}, or the highest number, for
 *     {@link Condition#NOT_ABOVE}; else null
 * @param change what becomes of it
 * @param content its new content, for {@link Change#PUT}; else null
 */
public record ChunkChange(long cid, Condition condition, byte @Nullable [] expected, Change change,
                          byte @Nullable [] content) {
    /** Condition of a chunk before the change. */
    public enum Condition {
        /** Nothing but what the change needs: a chunk that is put or removed must exist. */
        NONE,
        /** It exists. */
        PRESENT,
        /** It does not exist; its CID may be reserved. */
        ABSENT,
        /** It exists and has the expected content. */
        EQUAL,
        /** It exists, has 8 bytes, and their number, little-endian, is not above the expected one. */
        NOT_ABOVE;

        /** {@return whether the condition compares the chunk with expected bytes} */
        public boolean hasContent() {
            return this == EQUAL || this == NOT_ABOVE;
        }
    }

    /** Bytes of a number of {@link Condition#NOT_ABOVE}. */
    public static final int NUMBER_BYTES = Long.BYTES;

    /** Effect on a chunk. */
    public enum Change {
        /** It stays as it is. */
        NONE,
        /** Its content is replaced. */
        PUT,
        /** It is removed. */
        REMOVE
    }

    /**
     * Checks that the parts agree.
     *
     * @return this
     * @throws IllegalArgumentException if a chunk that must be absent is to be changed, or a content is missing, or one
     *     too many
     */
    public ChunkChange checked() {
        if (condition == Condition.ABSENT && change != Change.NONE) {
            throw new IllegalArgumentException("chunk " + Cid.toString(cid) + " must be absent, so it cannot be "
                + (change == Change.PUT ? "put" : "removed"));
        }
        if (condition.hasContent() != (expected != null) || change == Change.PUT != (content != null)) {
            throw new IllegalArgumentException("chunk " + Cid.toString(cid) + " has a content that condition "
                + condition + " and change " + change + " do not use, or lacks one");
        }
        if (condition == Condition.NOT_ABOVE && expected != null && expected.length != NUMBER_BYTES) {
            throw new IllegalArgumentException("the number of chunk " + Cid.toString(cid) + " has " + expected.length
                + " bytes instead of " + NUMBER_BYTES);
        }
        return this;
    }
}
