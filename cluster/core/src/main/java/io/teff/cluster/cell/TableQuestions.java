package io.teff.cluster.cell;

import io.teff.cluster.meta.SuperpeerSet;
import org.jspecify.annotations.Nullable;

/**
 * Questions for table rows sent by a node and not yet answered.
 *
 * <p>A question is allowed to take seconds, because large tables do. A dead superpeer does not answer at all. A node
 * that waits for a dead superpeer does not learn rows needed by other nodes: rows with the owner of a zone, or with the
 * nodes that keep copies. So the node asks a second superpeer once the last question is {@value #OTHER_MS} ms old. The
 * node asks the silent superpeer again once its question is {@value #SAME_MS} ms old, because the superpeer may have
 * restarted meanwhile. The earlier questions go on, and the answer of each counts. Thread-safe.
 */
final class TableQuestions {
    /** Age of the last question from which a different superpeer is asked, in milliseconds. */
    static final int OTHER_MS = 300;

    /** Age of the last question to a superpeer from which this superpeer is asked again, in milliseconds. */
    static final int SAME_MS = 1_000;

    private static final long MS_NS = 1_000_000;

    private final @Nullable Question[] pending = new Question[SuperpeerSet.NUMBER_MAX + 1];

    /** A question. Compared by identity, and therefore no record. */
    static final class Question {
        private final int superpeer;
        private final long sinceNs;

        private Question(int superpeer, long sinceNs) {
            this.superpeer = superpeer;
            this.sinceNs = sinceNs;
        }
    }

    /** No question is pending. */
    TableQuestions() {}

    /**
     * Begins a question, if a question is due.
     *
     * @param superpeer number of the superpeer, from 0
     * @param nowNs the time of the node's clock, in nanoseconds
     * @return the question, to be ended; null if the answers to the pending questions are to be awaited
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
     * Ends a question: the question was answered, has failed, or was not sent. No effect if the superpeer of the
     * question was asked again since.
     *
     * @param question as returned by {@link #begin}
     */
    synchronized void end(Question question) {
        if (pending[question.superpeer] == question) {
            pending[question.superpeer] = null;
        }
    }
}
