package io.teff.recovery.log.file;

import java.io.IOException;
import java.util.List;

/** What the log's files should have cannot all be read, and nobody has agreed to that. Nothing was changed. */
public final class DamagedLogException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient List<FileDamage> damage;

    /**
     * Makes the exception.
     *
     * @param damage what cannot be read
     */
    public DamagedLogException(List<FileDamage> damage) {
        super("the log is damaged: " + damage);
        this.damage = List.copyOf(damage);
    }

    /** {@return what cannot be read} */
    public List<FileDamage> damage() {
        return damage;
    }
}
