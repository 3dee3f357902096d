package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A thread waited for another thread's lock on a chunk. */
@Name("io.teff.LockWait")
@Label("Chunk Lock Wait")
@Category({"Teff", "Engine"})
@Description("A thread waited for another thread's lock on a chunk")
@StackTrace(true)
public final class LockWaitEvent extends Event {
    /** CID of the chunk. */
    @Label("CID")
    public long cid;
    /** Whether the thread waited for the exclusive lock. */
    @Label("Exclusive")
    public boolean exclusive;
    /** Whether the timeout expired before the thread got the lock. */
    @Label("Timed Out")
    public boolean timedOut;

    /** Makes an event that has not begun. */
    public LockWaitEvent() {}
}
