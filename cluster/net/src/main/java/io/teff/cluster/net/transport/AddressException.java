package io.teff.cluster.net.transport;

import java.io.IOException;
import java.io.Serial;

/** What is no address: nobody can ever be reached there. */
public final class AddressException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param what names the address, and what is wrong with it
     */
    public AddressException(String what) {
        super(what);
    }
}
