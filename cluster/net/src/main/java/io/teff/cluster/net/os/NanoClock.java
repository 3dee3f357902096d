package io.teff.cluster.net.os;

/** A clock that runs evenly and has no meaning outside of the process. Any thread. */
@FunctionalInterface
public interface NanoClock {
    /** {@return nanoseconds; only differences have a meaning, and they may overflow} */
    long nanoTime();
}
