package io.teff.cluster.net.message;

import org.jspecify.annotations.Nullable;

/**
 * A process with limited rights at the other end of a session, as its proof in the greeting has shown. A session
 * without a caller is one of a node of the cluster, which may do everything. No message names a caller: a handler finds
 * the caller of its message by {@link #current}. Thread-safe.
 */
public abstract class Caller {
    private static final ScopedValue<Caller> CURRENT = ScopedValue.newInstance();

    /** For subclasses. */
    protected Caller() {}

    /** {@return the caller of the message that the calling thread handles; null for a node of the cluster} */
    public static @Nullable Caller current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /**
     * Work for a caller.
     *
     * @param <X> what the work throws
     */
    @FunctionalInterface
    public interface Work<X extends Throwable> {
        /**
         * Does the work.
         *
         * @throws X as the work says
         */
        void run() throws X;
    }

    /**
     * Handles a message of this caller.
     *
     * @param <X> what the handler throws
     * @param work the handler
     * @throws X as the handler says
     */
    public final <X extends Throwable> void run(Work<X> work) throws X {
        final Caller _ = ScopedValue.where(CURRENT, this).<Caller, X>call(() -> {
            work.run();
            return this;
        });
    }

    /**
     * {@return whether the caller may have a NID}
     *
     * @param nid the number in the greeting
     */
    public abstract boolean mayHave(int nid);

    /**
     * {@return whether another caller is the same principal}
     *
     * @param other caller of another link
     */
    public abstract boolean isSame(Caller other);

    /**
     * {@return whether the proof of the link has ended, as after the replacement of a token} The link ends before
     * another byte is taken from it. The session goes on with the next link, if the next proof is one of the same
     * principal. By the agent: must be short, and must not wait.
     */
    public abstract boolean mustProveAgain();

    /**
     * Returns whether messages of a type are read at all.
     *
     * @param type number of the type
     * @return false if each message of the type is refused
     */
    public abstract boolean mayUse(int type);

    /**
     * Decides on a message before its bytes are read. By the agent: must be short, and must not wait.
     *
     * @param type number of the type of the message
     * @param bytes length of the message
     * @param open requests of the session that wait for their answers
     * @return null if the message is handled; else why not
     */
    public abstract @Nullable DeniedException admit(int type, int bytes, int open);
}
