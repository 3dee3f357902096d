package io.teff.recovery.log;

import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.Counting;
import io.teff.recovery.log.file.FileDamage;
import java.io.IOException;
import java.util.List;

/**
 * Checks the estimates by which zones are chosen for cleaning against the files. A too high estimate of live bytes
 * would let the folder grow without limit, so the estimate must be exact after each opening.
 */
final class LogAudit {
    private static final EntryVisitor NOBODY = (cid, sequence, owner, zone, kind, bytes, offset, length) -> { };

    private final RecoveryLog log;

    LogAudit(RecoveryLog log) {
        this.log = log;
    }

    /**
     * Counts the live bytes of a zone again, if the estimate should be exact.
     *
     * @param zone name of the zone, to which nothing is written meanwhile
     * @throws IOException if the disk fails
     * @throws IllegalStateException if the estimate is wrong
     */
    void check(ZoneId zone) throws IOException {
        final long estimate = log.exactLiveBytes(zone);
        if (estimate != ZoneLogs.UNKNOWN) {
            final Counting counting = new Counting(zone, NOBODY);
            final List<FileDamage> damage = log.count(zone, counting);
            final long counted = counting.live().bytes();
            if (damage.isEmpty() && counted != estimate && estimate == log.exactLiveBytes(zone)) {
                throw new IllegalStateException("zone " + zone + " has " + counted + " live bytes, and its estimate is "
                    + estimate);
            }
        }
    }
}
