package io.teff.cluster.net;

/** What the simulation looks after; a failure begins with the name of who has found it. */
enum Oracle {
    /** What comes is what was sent. */
    CONTENT,
    /** No message is handled twice, and none that was never written to its end. */
    ONCE,
    /** Messages of a lane are handled in order, as long as their session lasts. */
    ORDER,
    /** No message is missing, unless its session was lost. */
    ARRIVAL,
    /** Each request ends in time, with an answer or a typed failure. */
    REQUEST,
    /** No session is lost without a reason. */
    SESSION,
    /** No node has more links than it may. */
    LINKS,
    /** What a node keeps has bounds, and comes back. */
    MEMORY,
    /** What has come and does not count as handled is somewhere, waiting for its handler. */
    CREDIT,
    /** What two sides of a session say of its streams goes together. */
    PAIR,
    /** Each structure's own audit is right. */
    AUDIT,
    /** No handler throws. */
    HANDLER;

    AssertionError broken(String what) {
        return new AssertionError(this + ": " + what);
    }
}
