package io.teff.recovery.log;

import io.teff.recovery.format.ZoneId;

/** Delays writers of a zone as a cleaner that has fallen behind does. */
public final class DelayedZone {
    private DelayedZone() {}

    /** Begins or ends the delay. */
    public static void set(RecoveryLog log, int owner, int zone, boolean isOn) {
        log.pressure().set(new ZoneId(owner, zone), isOn);
    }
}
