package io.teff.recovery.event;

import io.teff.engine.os.FailureText;
import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A file that no longer counts cannot be deleted. The deletion is retried. */
@Name("io.teff.LogLeftover")
@Label("Log Leftover")
@Category({"Teff", "Recovery"})
public final class LogLeftoverEvent extends Event {
    /** Name of the file. */
    @Label("File")
    public String file = "";
    /** Message of the failure. */
    @Label("Message")
    public String message = "";

    /** Makes an event that is not yet begun. */
    public LogLeftoverEvent() {}

    /**
     * Emits an event.
     *
     * @param file that cannot be deleted
     * @param cause the failure
     */
    public static void emit(Path file, Throwable cause) {
        LogLeftoverEvent event = new LogLeftoverEvent();
        if (event.shouldCommit()) {
            event.file = file.toString();
            event.message = FailureText.of(cause);
            event.commit();
        }
    }
}
