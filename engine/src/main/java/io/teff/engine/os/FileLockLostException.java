package io.teff.engine.os;

import java.io.IOException;
import java.nio.file.Path;

/** A lock that this process had may belong to another owner. */
public final class FileLockLostException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param path of the locked file
     * @param why what has happened to it
     */
    public FileLockLostException(Path path, String why) {
        super("the lock " + path + " is lost: " + why);
    }
}
