package io.teff.cluster.peer;

/** Is notified of what ends a life, on threads that must not wait. */
interface LifeListener {
    /** The superpeers have given up this life. */
    void ended();

    /** The log of the peer may have failed. */
    void logFailed();
}
