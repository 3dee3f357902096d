package io.teff.engine.zone;

/**
 * Writes the state of a zone to the journal once more, part by part, so that the caller sets the pace; see
 * {@link Zones#record}. For one thread.
 */
@FunctionalInterface
public interface ZoneRecording {
    /**
     * Records the next part: chunks as they are now, and which CIDs were issued before.
     *
     * @param bytesMax about the bytes of the part, above 0
     * @return false if everything is recorded
     * @throws io.teff.engine.error.StoreException if the journal accepts no changes now, or a chunk stays locked: the
     *     call can be repeated
     * @throws io.teff.engine.error.ZoneDroppedException if the zone was dropped
     */
    boolean next(long bytesMax);

    /** {@return about the bytes of the last part; 0 if they are not counted} */
    default long lastBytes() {
        return 0;
    }
}
