package io.teff.recovery.tool;

import java.util.List;

/**
 * Result of making a manifest anew.
 *
 * @param manifest name of the new file, or an empty text if the log has a complete manifest and nothing was changed
 * @param kept names of the files that hold the former manifests
 * @param zones number of zones found
 * @param segments number of segments named
 * @param entries number of entries in them
 * @param frames number of frames that count
 * @param damage parts of these files that cannot be read
 * @param foreign files that do not belong to this log, and are not named
 */
public record Rebuilt(String manifest, List<String> kept, long zones, long segments, long entries, long frames,
                      List<LogReport.Place> damage, List<String> foreign) {
    /** Copies the lists. */
    public Rebuilt {
        kept = List.copyOf(kept);
        damage = List.copyOf(damage);
        foreign = List.copyOf(foreign);
    }
}
