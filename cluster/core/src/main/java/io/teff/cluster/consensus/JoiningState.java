package io.teff.cluster.consensus;

import org.jspecify.annotations.Nullable;

/**
 * The part of a superpeer in the log, and what people read about the part.
 * <pre>{@code
 *   ASKING <--> READING        NO_ROOM: entered from, and left to, ASKING, READING, VOTING, COPYING
 *      |           |           FAILED:  the joining thread has ended; entered from every state above
 *      v           v           CLOSED:  entered from every state
 *   VOTING <-------+
 *      ^
 *      v
 *   COPYING
 * }</pre>
 * {@link #moves} is the only place where the state changes, and refuses every move that is not drawn. Thread-safe:
 * state and text change together under the monitor, and are read together without a lock.
 */
final class JoiningState {
    private volatile Standing standing = new Standing(State.ASKING, "");

    /** The states. */
    enum State {
        /** Without a part: asks the other superpeers whether the cell exists. */
        ASKING,
        /** A newcomer without a vote, which reads the log of the other superpeers. */
        READING,
        /** A member with a vote. */
        VOTING,
        /** A member that is closed while the log of another superpeer is copied. */
        COPYING,
        /** No member runs, because the disk is full. */
        NO_ROOM,
        /** The joining thread has ended, because of a failure. */
        FAILED,
        /** The superpeer has ended. */
        CLOSED;

        /** Returns whether the part may change from this state to another state. */
        boolean mayBecome(State next) {
            return switch (this) {
                case ASKING -> next == READING || next == VOTING || isAlways(next);
                case READING -> next == ASKING || next == VOTING || isAlways(next);
                case VOTING -> next == COPYING || isAlways(next);
                case COPYING -> next == VOTING || isAlways(next);
                case NO_ROOM -> next != NO_ROOM;
                case FAILED -> next == CLOSED;
                case CLOSED -> false;
            };
        }

        private static boolean isAlways(State next) {
            return next == NO_ROOM || next == FAILED || next == CLOSED;
        }
    }

    /** A state and its text: what the superpeer waits for, or why the superpeer has failed. */
    private record Standing(State state, String text) {}

    /**
     * Changes the state.
     *
     * @param from the present state
     * @param to the next state
     * @param text what the superpeer waits for, for people; empty for nothing
     * @throws IllegalStateException if the move is not drawn, or the present state is another state
     */
    synchronized void moves(State from, State to, String text) {
        State now = standing.state();
        if (now != from || !from.mayBecome(to)) {
            throw new IllegalStateException("the superpeer is " + now + ", and cannot go from " + from + " to " + to);
        }
        standing = new Standing(to, text);
    }

    /** Sets what the superpeer waits for in the present state. */
    synchronized void waits(String text) {
        standing = new Standing(standing.state(), text);
    }

    /** Notes a failure, unless the superpeer is closed. */
    synchronized void fails(String text) {
        if (!isClosed()) {
            moves(standing.state(), State.FAILED, text);
        }
    }

    /** Closes, unless that was done before. */
    synchronized void closes() {
        if (!isClosed()) {
            moves(standing.state(), State.CLOSED, "");
        }
    }

    State state() {
        return standing.state();
    }

    String text() {
        return standing.text();
    }

    boolean isClosed() {
        return standing.state() == State.CLOSED;
    }

    /** Returns why the superpeer has failed, or null. */
    @Nullable String failure() {
        Standing now = standing;
        return now.state() == State.FAILED ? now.text() : null;
    }

    /** Returns what the superpeer waits for; empty for nothing. */
    String waitsFor() {
        Standing now = standing;
        return now.state() == State.FAILED ? "" : now.text();
    }
}
