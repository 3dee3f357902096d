package io.teff.cluster.raft;

import org.jspecify.annotations.Nullable;

/**
 * The part of a superpeer in the cell, and what people read about the part.
 * <pre>{@code
 *   ASKING ──> ENTERING ──> VOTING        ASKING: entered again if the first record could not be written
 *      └───────────────────────^          FAILED: entered from every state above
 *                                         CLOSED: entered from every state
 * }</pre>
 * Thread-safe: state and text change together.
 */
final class PartState {
    private volatile Standing standing = new Standing(State.ASKING, "");

    /** The states. */
    enum State {
        /** Without a part: asks the other superpeers whether the cell exists. */
        ASKING,
        /** A member without a vote, which gets the log of the other superpeers. */
        ENTERING,
        /** A member with a vote. */
        VOTING,
        /** The superpeer takes no part any more, because of a failure. */
        FAILED,
        /** The superpeer has ended. */
        CLOSED
    }

    /** A state and its text: what the superpeer waits for, or why the superpeer has failed. */
    private record Standing(State state, String text) {}

    private synchronized void becomes(State next, String text) {
        State now = standing.state();
        if (now != State.CLOSED && (now != State.FAILED || next == State.CLOSED)) {
            standing = new Standing(next, text);
        }
    }

    /** Sets what the superpeer waits for in the present state. */
    synchronized void waits(String text) {
        becomes(standing.state(), text);
    }

    void asks() {
        becomes(State.ASKING, "");
    }

    void enters(String text) {
        becomes(State.ENTERING, text);
    }

    void votes() {
        becomes(State.VOTING, "");
    }

    void fails(String text) {
        becomes(State.FAILED, text);
    }

    void closes() {
        becomes(State.CLOSED, "");
    }

    State state() {
        return standing.state();
    }

    boolean isClosed() {
        return standing.state() == State.CLOSED;
    }

    boolean hasFailed() {
        return standing.state() == State.FAILED;
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
