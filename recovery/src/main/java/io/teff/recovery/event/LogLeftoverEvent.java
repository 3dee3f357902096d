package io.teff.recovery.event;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A file that counts for nothing any more cannot be deleted. It is tried again. */
@Name("io.teff.LogLeftover")
@Label("Log Leftover")
@Category({"Teff", "Recovery"})
public final class LogLeftoverEvent extends Event {
    /** Name of the file. */
    @Label("File")
    public String file = "";
    /** What the disk has said. */
    @Label("Message")
    public String message = "";

    /** Makes an event that is not yet begun. */
    public LogLeftoverEvent() {}

    /**
     * Says so at once.
     *
     * @param file that stays
     * @param cause what the disk has said
     */
    public static void emit(Path file, Throwable cause) {
        LogLeftoverEvent event = new LogLeftoverEvent();
        if (event.shouldCommit()) {
            event.file = file.toString();
            event.message = String.valueOf(cause.getMessage());
            event.commit();
        }
    }
}
