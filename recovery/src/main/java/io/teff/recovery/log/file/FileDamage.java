package io.teff.recovery.log.file;

import io.teff.recovery.format.Damage;

/**
 * A part of a file of the log that should be present and cannot be read.
 *
 * @param file name of the file in the log's folder
 * @param damage the part and the reason
 */
public record FileDamage(String file, Damage damage) {
    @Override
    public String toString() {
        return file + ": " + damage;
    }
}
