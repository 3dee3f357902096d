package io.teff.recovery.tool;

import java.io.IOException;
import java.util.List;

/** Files of a log are damaged, and the caller wants all of it. */
public final class DamagedFilesException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient List<LogReport.Place> damage;

    /**
     * Makes the exception.
     *
     * @param message the consequence
     * @param damage places that cannot be read
     */
    DamagedFilesException(String message, List<LogReport.Place> damage) {
        super(message);
        this.damage = List.copyOf(damage);
    }

    /** {@return places that cannot be read} */
    public List<LogReport.Place> damage() {
        return damage;
    }
}
