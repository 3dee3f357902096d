package io.teff.cluster.net.transport;

import java.io.IOException;
import java.io.Serial;

/** The text is not an address: no node can be reached by this text. */
public final class AddressException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param what the address and the fault
     */
    public AddressException(String what) {
        super(what);
    }
}
