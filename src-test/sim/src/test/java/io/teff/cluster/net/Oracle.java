package io.teff.cluster.net;

/** The properties checked by the simulation; the message of a failure begins with the name of the violated one. */
enum Oracle {
    /** A message arrives as it was sent. */
    CONTENT,
    /** No message is handled twice, and none that was never completed. */
    ONCE,
    /** Messages of a lane are handled in order, as long as their session lasts. */
    ORDER,
    /** No message is missing, unless its session was lost. */
    ARRIVAL,
    /** Each request ends in time, with an answer or a typed failure. */
    REQUEST,
    /** No session is lost without a reason. */
    SESSION,
    /** No node exceeds its limit of links. */
    LINKS,
    /** The memory of a node is bounded, and is released. */
    MEMORY,
    /** Every received message that does not count as handled is waiting for its handler. */
    CREDIT,
    /** The two sides of a session agree on its streams. */
    PAIR,
    /** Each structure passes its own audit. */
    AUDIT,
    /** No handler throws. */
    HANDLER;

    AssertionError broken(String what) {
        return new AssertionError(this + ": " + what);
    }
}
