package io.teff.recovery.log.file;

import io.teff.recovery.format.Damage;

/**
 * A part of one of the log's files that should be there and cannot be read.
 *
 * @param file name of the file in the log's folder
 * @param damage what and where
 */
public record FileDamage(String file, Damage damage) {
    @Override
    public String toString() {
        return file + ": " + damage;
    }
}
