package io.teff.recovery.tool;

import java.io.IOException;
import java.util.List;

/** No manifest of a log can be read, so nobody can tell what of its files counts. */
public final class NoManifestException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient List<LogReport.Place> damage;

    /**
     * Makes the exception.
     *
     * @param damage the manifests, and what is wrong with them
     */
    NoManifestException(List<LogReport.Place> damage) {
        super("no manifest can be read, so nobody can tell what counts");
        this.damage = List.copyOf(damage);
    }

    /** {@return the manifests, and what is wrong with them} */
    public List<LogReport.Place> damage() {
        return damage;
    }
}
