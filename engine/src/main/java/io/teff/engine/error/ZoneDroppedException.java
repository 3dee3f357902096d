package io.teff.engine.error;

/** A view of a zone was used after the zone had been dropped from its store; the chunks may be in another store. */
public final class ZoneDroppedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** The dropped zone. */
    private final int zone;

    /**
     * Makes an exception.
     *
     * @param zone the dropped zone
     */
    public ZoneDroppedException(int zone) {
        super("zone " + zone + " was dropped");
        this.zone = zone;
    }

    /** {@return the dropped zone} */
    public int zone() {
        return zone;
    }
}
