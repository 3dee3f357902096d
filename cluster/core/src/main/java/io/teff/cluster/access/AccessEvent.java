package io.teff.cluster.access;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A principal was refused, or has used a right of operators. */
@Name("io.teff.Access")
@Label("Access")
@Category({"Teff", "Cluster"})
@StackTrace(false)
public final class AccessEvent extends Event {
    /** The principal. */
    @Label("Principal")
    public String principal = "";
    /** The action that was refused. */
    @Label("Right")
    public String right = "";
    /** The outcome. */
    @Label("Allowed")
    public boolean isAllowed;

    /** Makes an event that is not yet begun. */
    public AccessEvent() {}

    /** Emits the event. */
    static void emit(String principal, String right, boolean isAllowed) {
        final AccessEvent event = new AccessEvent();
        if (event.shouldCommit()) {
            event.principal = principal;
            event.right = right;
            event.isAllowed = isAllowed;
            event.commit();
        }
    }
}
