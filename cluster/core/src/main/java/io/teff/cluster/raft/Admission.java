package io.teff.cluster.raft;

import io.microraft.RaftEndpoint;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How the leader takes a superpeer into the cell: one step at a time, each of which changes one member. Pure.
 * <pre>
 *   unknown ── ADD ──> learner ── (has the log) ──┬── REMOVE the superpeer's earlier member ──┐
 *                                                 └──────────── PROMOTE ──> voter  &lt;──────────┘
 * </pre>
 * A superpeer that has lost its folder comes with a new birth. Its earlier member has a vote that no process can cast.
 * The earlier member is removed as late as possible: only when the new member has the log, so a further failure in
 * between does no more harm than without the replacement.
 */
final class Admission {
    /** Most learners of MicroRaft. */
    static final int LEARNERS_MAX = 2;

    private Admission() {}

    /** The next step of the leader. */
    enum Step {
        /** Nothing: the member has to wait. */
        WAIT,
        /** Adds the member as a learner. */
        ADD,
        /** Removes the superpeer's earlier member. */
        REMOVE,
        /** Makes the member a voter. */
        PROMOTE,
        /** Nothing: the member is a voter. */
        DONE
    }

    /**
     * Returns the next step.
     *
     * @param member to be taken in
     * @param all all present members
     * @param voters the present members with a vote
     * @param hasLog whether the member has about the whole log
     */
    static Step next(RaftId member, Collection<RaftEndpoint> all, Collection<RaftEndpoint> voters, boolean hasLog) {
        final RaftId earlier = earlier(member, all);
        if (voters.contains(member)) {
            return earlier == null ? Step.DONE : Step.REMOVE;
        }
        if (!all.contains(member)) {
            if (earlier != null && !voters.contains(earlier)) {
                return Step.REMOVE;                             // a learner that has lost its folder again
            }
            return all.size() - voters.size() < LEARNERS_MAX ? Step.ADD : Step.WAIT;
        }
        return !hasLog ? Step.WAIT : earlier == null ? Step.PROMOTE : Step.REMOVE;
    }

    /** Returns another member of the same superpeer, or null. */
    static @Nullable RaftId earlier(RaftId member, Collection<RaftEndpoint> all) {
        for (RaftEndpoint each : all) {
            if (each instanceof RaftId id && id.number() == member.number() && !id.equals(member)) {
                return id;
            }
        }
        return null;
    }
}
