package io.teff.cluster.archive;

import java.io.IOException;
import java.nio.file.Path;

/** A file of a backup is missing, is cut, has changed, or belongs to another backup. The message names the file. */
public final class DamagedBackupException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param file path of the file
     * @param what what is wrong, behind the name of the file
     */
    public DamagedBackupException(Path file, String what) {
        super(file + " " + what);
    }
}
