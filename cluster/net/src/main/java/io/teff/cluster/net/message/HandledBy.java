package io.teff.cluster.net.message;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Which thread handles the messages of a type.
 *
 * <pre>
 *  HANDLERS   the handlers' threads of the network, which all such types share
 *  AGENT      the agent's thread, where the message arrives: fastest; the handler must be short and must not wait
 *  pool       threads of their own: these messages never wait behind handlers of other types
 *  agentOr    the agent's thread if the message is short and none of its lane waits; else such a pool
 *  executor   an executor of the application
 * </pre>
 * Messages of one lane from 1 to 255 are handled in order if the message types of the lane have the same handling
 * threads. Immutable.
 */
public final class HandledBy {
    private static final int NONE = -1;

    /** The handlers' threads of the network, or the executor in the network's configuration. */
    public static final HandledBy HANDLERS = new HandledBy("handler", 0, null, NONE);
    /**
     * The agent's thread. All connections of the agent wait meanwhile; a handler that sends without room finds FULL.
     * Answers are sent even so.
     */
    public static final HandledBy AGENT = new HandledBy("agent", 0, null, Integer.MAX_VALUE);
    /** Most threads of a pool. */
    public static final int THREADS_MAX = 1 << 10;

    private final String name;
    private final int threads;
    private final @Nullable Executor executor;
    private final int agentBytesMax;

    private HandledBy(String name, int threads, @Nullable Executor executor, int agentBytesMax) {
        this.name = name;
        this.threads = threads;
        this.executor = executor;
        this.agentBytesMax = agentBytesMax;
    }

    /**
     * Makes a pool of separate threads. Each network with a handler for the pool starts threads of its own, and ends
     * these threads when the network is closed, after the waiting messages. Another thread replaces a handler that
     * waits for an answer, as on the handlers' threads.
     *
     * @param name part of the threads' names
     * @param threads number of threads, 1 to {@value #THREADS_MAX}
     * @return the pool; each call makes a new pool
     * @throws IllegalArgumentException if the number is out of range
     */
    public static HandledBy pool(String name, int threads) {
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException("threads=" + threads + " is not in 1 to " + THREADS_MAX);
        }
        return new HandledBy(name, threads, null, NONE);
    }

    /**
     * Makes a pool that is spared short messages: the agent's thread handles short messages at arrival, as for
     * {@link #AGENT}, and no thread is woken. Messages of a lane stay in order: while a message of the lane waits for
     * the pool, or is handled by the pool, the pool also handles later messages of the lane. Messages of several frames
     * are the pool's.
     *
     * @param bytesMax longest message handled by the agent, in bytes
     * @param name part of the threads' names
     * @param threads number of threads, 1 to {@value #THREADS_MAX}
     * @return the pool; each call makes a new pool
     * @throws IllegalArgumentException if a number is out of range
     */
    public static HandledBy agentOrPool(int bytesMax, String name, int threads) {
        if (bytesMax < 0) {
            throw new IllegalArgumentException("bytesMax=" + bytesMax);
        }
        final HandledBy pool = pool(name, threads);
        return new HandledBy(pool.name, pool.threads, null, bytesMax);
    }

    /**
     * Uses an executor of the application. The executor may run a task in the calling thread or refuse the task, and is
     * ended by the application.
     *
     * @param executor runs handlers
     * @return a value that names the executor
     */
    public static HandledBy executor(Executor executor) {
        return new HandledBy("executor", 0, executor, NONE);
    }

    /** {@return part of the threads' names} */
    public String name() {
        return name;
    }

    /** {@return number of threads of a pool; 0 for others} */
    public int threads() {
        return threads;
    }

    /** {@return the executor of the application, or null} */
    public @Nullable Executor executor() {
        return executor;
    }

    /** {@return longest messages of one frame that the agent handles in bytes, or -1} */
    public int agentBytesMax() {
        return agentBytesMax;
    }

    @Override
    public String toString() {
        return "HandledBy[" + name + ", threads " + threads + ']';
    }
}
