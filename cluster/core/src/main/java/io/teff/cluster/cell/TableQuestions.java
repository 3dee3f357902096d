package io.teff.cluster.cell;

import org.jspecify.annotations.Nullable;

/**
 * The questions for rows of the tables that a node has sent and that are not answered yet.
 *
 * <p>A question is allowed to take seconds, because large tables do. A superpeer that has died does not answer at all,
 * and while a node waits for that, it does not learn of rows that others wait for: who owns a zone, who keeps its
 * copies. So the node asks another superpeer once its last question is {@value #OTHER_MS} ms old, and the same one
 * again once that is {@value #SAME_MS} ms old, as it may have been started anew meanwhile. The earlier questions go on,
 * and the answer of each counts. Thread-safe.
 */
final class TableQuestions {
    /** Age of the last question, in milliseconds, from which on another superpeer is asked. */
    static final int OTHER_MS = 300;

    /** Age of the last question to a superpeer, in milliseconds, from which on the same one is asked again. */
    static final int SAME_MS = 1_000;

    private static final long MS_NS = 1_000_000;

    private final @Nullable Question[] pending;

    /** A question. Compared by identity, so it is no record. */
    static final class Question {
        private final int superpeer;
        private final long sinceNs;

        private Question(int superpeer, long sinceNs) {
            this.superpeer = superpeer;
            this.sinceNs = sinceNs;
        }
    }

    /**
     * No question is pending.
     *
     * @param superpeers number of superpeers
     */
    TableQuestions(int superpeers) {
        pending = new Question[superpeers];
    }

    /**
     * Begins a question, if it is time for one.
     *
     * @param superpeer number of the superpeer, from 0
     * @param nowNs the time of the node's clock, in nanoseconds
     * @return the question, to be ended; null if the answers to the pending ones are to be waited for
     */
    synchronized @Nullable Question begin(int superpeer, long nowNs) {
        for (Question other : pending) {
            if (other != null && nowNs - other.sinceNs < MS_NS * (other.superpeer == superpeer ? SAME_MS : OTHER_MS)) {
                return null;
            }
        }
        return pending[superpeer] = new Question(superpeer, nowNs);
    }

    /**
     * Ends a question: it was answered, has failed, or was not sent. No effect if its superpeer was asked again since.
     *
     * @param question the question
     */
    synchronized void end(Question question) {
        if (pending[question.superpeer] == question) {
            pending[question.superpeer] = null;
        }
    }
}
