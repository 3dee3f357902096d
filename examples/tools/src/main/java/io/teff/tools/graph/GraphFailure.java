package io.teff.tools.graph;

/** A question that has no answer: the message is for the user. */
final class GraphFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    GraphFailure(String message) {
        super(message);
    }
}
