package io.teff.cluster.net.thread;

/**
 * Asked by each thread about to wait for an answer. Agents must not wait, because agents bring the answers; a waiting
 * handler lets another thread run handlers meanwhile. Implementations are thread-safe.
 */
public interface AnswerWait {
    /** All threads may wait. */
    AnswerWait ALLOWED = new AnswerWait() {
        @Override
        public boolean begin() {
            return false;
        }

        @Override
        public void end() {}
    };

    /**
     * Called before the calling thread waits.
     *
     * @return whether {@link #end} must follow after the wait
     * @throws IllegalStateException if the thread must not wait
     */
    boolean begin();

    /** Called after a wait of a handler. */
    void end();
}
