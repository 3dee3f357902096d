package io.teff.recovery.log.file;

import java.io.IOException;
import java.util.List;

/** The files of the log are damaged, and the loss was not accepted. Nothing was changed. */
public final class DamagedLogException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient List<FileDamage> damage;

    /**
     * Makes the exception.
     *
     * @param damage parts that cannot be read
     */
    public DamagedLogException(List<FileDamage> damage) {
        super("the log is damaged: " + damage);
        this.damage = List.copyOf(damage);
    }

    /** {@return parts that cannot be read} */
    public List<FileDamage> damage() {
        return damage;
    }
}
