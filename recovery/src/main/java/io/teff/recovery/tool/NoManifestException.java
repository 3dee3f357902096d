package io.teff.recovery.tool;

import java.io.IOException;
import java.util.List;

/** No manifest of a log can be read, so the files that count are unknown. */
public final class NoManifestException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient List<LogReport.Place> damage;

    /**
     * Makes the exception.
     *
     * @param damage the manifests, and the reasons why they cannot be read
     */
    NoManifestException(List<LogReport.Place> damage) {
        super("no manifest can be read, so it is unknown what counts");
        this.damage = List.copyOf(damage);
    }

    /** {@return the manifests, and the reasons why they cannot be read} */
    public List<LogReport.Place> damage() {
        return damage;
    }
}
