package io.teff.nio.selector.link;

/** The channel of a link. Calls come from threads of the fabric, and must not wait. */
public interface LinkListener {
    /** Takes note that the link may be ready for other operations than before. */
    void changed();

    /** Takes note that the link has fallen back to TCP: the TCP connection has all bytes from here on. */
    void fallen();
}
