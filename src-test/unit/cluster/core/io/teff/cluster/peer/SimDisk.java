package io.teff.cluster.peer;

import io.teff.recovery.backup.ZoneCopy;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a simulated peer with a log of backups on it, which the peer's processes open one after the other, and
 * what happens to both.
 */
interface SimDisk {
    /** Begins a process. Returns false if it cannot open its log now. */
    boolean open();

    /** Returns the log of the process; null if it could not be opened. */
    @Nullable CopyLog log();

    /** Returns the id of the folder; it is another one if the disk was lost. */
    UUID folder();

    /** Notes in the folder that a life begins. Returns false if the folder takes no notes. */
    boolean begins(int incarnation);

    /** Notes in the folder that the log has failed. Returns false if the folder takes no notes. */
    boolean notesFailure();

    /** Does what the log's thread does now and then, or when it is woken. */
    void work();

    // ---- what happens ----

    /** The process ends at once: what is logged stays. */
    void kill();

    /** The machine has no power any more, and its process has ended before: what is synced stays, the rest may. */
    void cutPower();

    /** Another disk replaces it, which is empty. */
    void lose();

    /** The next sync is refused. */
    void failSync();

    /** There is no room, or there is some again. */
    void full(boolean is);

    /** What was appended last cannot be read, because there is no room for it; or it can again. */
    void refuseReads(boolean is);

    /** Nothing can be read until the disk is repaired. */
    void damage();

    /** Ends the damage. Returns whether the peer must be started again to read its log. */
    boolean repair();

    // ---- for oracles ----

    /** Returns whether a copy may have lost its end by a power cut, or a sync that was refused. */
    boolean wasCut(ZoneCopy copy);

    /** Gives its memory back at the end of a run. */
    void end();
}
