package io.teff.engine.compute;

/** Policy for a job or a worker whose node has ended. */
public enum OnLoss {
    /** It runs again: at the next owner of its zone, or at another node. It may have run in part or to its end. */
    RUN_AGAIN,
    /** It ends with a {@link JobException} of the reason LOST. */
    FAIL
}
