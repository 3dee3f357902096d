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
     * @param what names the address, and what is wrong with it
     */
    public AddressException(String what) {
        super(what);
    }
}
