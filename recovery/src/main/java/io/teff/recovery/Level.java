package io.teff.recovery;

/** The durability of a change when its call returns. Each level includes the one before. */
public enum Level {
    /** In memory. The change is logged like all others, and may be lost if the process is killed. */
    MEMORY,
    /** In the kernel: the change survives the process, however it ends. A power cut may lose the last 100 ms or so. */
    LOGGED,
    /**
     * On the device: the change survives a power cut. If the wait for the device fails, the change is made and LOGGED.
     */
    SYNCED
}
