package io.teff.nio.selector;

import java.nio.channels.SelectableChannel;

/** A channel of this provider, as its keys see the channel. */
interface KeyOwner {
    /** The value of {@link #linkReadyOps} of a channel by TCP. */
    int BY_TCP = -1;

    /** {@return the channel of the JDK} */
    SelectableChannel inner();

    /** {@return the operations that would not wait, or {@link #BY_TCP}} */
    int linkReadyOps();

    /** Tells the key of changes from now on. */
    void addKey(TeffSelectionKey key);

    /** Ends {@link #addKey}. */
    void removeKey(TeffSelectionKey key);
}
