package io.teff.recovery;

/** How well a change is kept when the call that made it returns. Each level keeps what the one before does. */
public enum Level {
    /** Memory has it. It goes to the log like all others, and may be lost if the process is killed. */
    MEMORY,
    /** The kernel has it: it survives the process, however that ends. A power cut may take the last 100 ms or so. */
    LOGGED,
    /** The device has it: it survives a power cut. A change whose wait for that is refused is made, and LOGGED. */
    SYNCED
}
