package io.teff.recovery.event;

import io.teff.engine.os.FailureText;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * The disk has failed or is full, or the log's thread has met an error. After a failure the log is closed permanently.
 */
@Name("io.teff.LogFailure")
@Label("Log Failure")
@Category({"Teff", "Recovery"})
public final class LogFailureEvent extends Event {
    /** Whether the disk is full, which can pass; false for a failure. */
    @Label("Disk Full")
    public boolean full;
    /** Message of the failure. */
    @Label("Message")
    public String message = "";

    /** Makes an event that is not yet begun. */
    public LogFailureEvent() {}

    /**
     * Emits an event.
     *
     * @param full whether the disk is full, which can pass
     * @param cause the failure
     */
    public static void emit(boolean full, Throwable cause) {
        LogFailureEvent event = new LogFailureEvent();
        if (event.shouldCommit()) {
            event.full = full;
            event.message = FailureText.of(cause);
            event.commit();
        }
    }
}
