package io.teff.cluster.slot;

/** Lets one thread play several, each with a slot attached. */
public final class SlotWriters {
    private SlotWriters() {}

    /** Runs what other threads do meanwhile. */
    public static void meanwhile(Runnable others) {
        SlotWriter own = SlotWriter.OWN.get();
        SlotWriter.OWN.remove();
        others.run();
        SlotWriter.OWN.set(own);
    }
}
