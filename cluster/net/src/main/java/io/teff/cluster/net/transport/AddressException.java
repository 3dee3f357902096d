package io.teff.cluster.net.transport;

import java.io.IOException;
import java.io.Serial;

/** Text that is no address: no node can ever be reached there. */
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
