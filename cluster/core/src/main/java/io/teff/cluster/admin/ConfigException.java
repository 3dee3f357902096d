package io.teff.cluster.admin;

import java.util.List;

/** A configuration has faults. The message has a line for each: place, key, fault, and allowed values. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<String> faults;

    /**
     * Creates the exception.
     *
     * @param faults a line for each fault
     */
    public ConfigException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    /** {@return a line for each fault} */
    public List<String> faults() {
        return faults;
    }
}
