package io.teff.cluster.consensus;

import org.jspecify.annotations.Nullable;

/** The replicated log of one running member, with the member's progress and end. Thread-safe. */
public interface MemberLog extends MetadataLog {

    /** {@return up to where in the log this member has applied commands} */
    long position();

    /** {@return whether this member looks for a leader, so that the member's vote is wanted} */
    boolean isElecting();

    /**
     * {@return whether the member has ended because the disk was full: a new member in the same folder continues as
     * soon as there is room}
     */
    boolean needsRoom();

    /** {@return why the member has ended for good, for people; null before such an end} */
    @Nullable String failure();
}
