package io.teff.rdma.ffi;

import io.teff.rdma.RdmaObject;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The base of all objects that stand for a native object: the order of closing, and no call after close.
 *
 * <p>Objects form a graph: an object depends on its owners. A queue pair, for example, depends on a protection domain
 * and on completion queues. Closing an object closes the dependents first, from the newest to the oldest.
 *
 * <pre>{@code
 *            enter             close
 *   BUSY  <---------  OPEN  ----------> CLOSED
 *         --------->
 *            leave
 * }</pre>
 *
 * <p><b>Rules.</b>
 * <ul>
 * <li>Each native call on an object runs between {@link #enter} and {@link #leave}. So calls of an object exclude each
 * other, close waits for the call in progress, and a call after close throws before native code runs. A word per
 * object, taken by one compare-and-set, costs a few nanoseconds without contention.
 * <li>Objects are created by {@link #create} alone, and closed by {@link #close}; both hold one lock of the process,
 * {@link #TREE}. No thread between enter and leave may wait for the lock: such a thread must not create or close
 * objects.
 * <li>A call that waits for an event must not stay between enter and leave: close would wait as long.
 * <li>{@link #free} runs once, after the dependents were freed, in the thread that closes, with the word closed.
 * </ul>
 *
 * <p>Proof that closing ends: the lock holder waits for words alone; the holder of a word waits for native calls alone,
 * which are bounded by the third rule.
 *
 * <p>Rejected: shared arenas: their close stops all threads and ignores the order of native objects; read-write locks,
 * which cost two atomic operations per call.
 */
public abstract class NativeObject implements RdmaObject {
    private static final int OPEN = 0;
    private static final int BUSY = 1;
    private static final int CLOSED = 2;
    /** Rounds before a waiting thread lets others run: calls take from tens of nanoseconds to some microseconds. */
    private static final int SPINS = 100;
    /** Guards the graph of all objects. */
    private static final ReentrantLock TREE = new ReentrantLock();
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(NativeObject.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String kind;
    private final List<NativeObject> owners;
    /** In the order of creation; guarded by {@link #TREE}. */
    private final SequencedSet<NativeObject> dependents = new LinkedHashSet<>();
    private final Lifetimes.Place place;
    @SuppressWarnings("unused")                                 // by STATE
    private volatile int state;

    /**
     * Registers a new object with its owners. Must be called within {@link #create} with the same owners.
     *
     * @param kind a word for messages, such as "queue pair"
     * @param owners without duplicates
     */
    protected NativeObject(String kind, NativeObject... owners) {
        if (!TREE.isHeldByCurrentThread()) {
            throw new AssertionError(kind + ": objects are made by create");
        }
        this.kind = kind;
        this.owners = List.of(owners);
        for (NativeObject owner : owners) {
            owner.dependents.add(this);
        }
        place = Lifetimes.opened(kind, this);
    }

    /**
     * Creates an object while none can be closed. The factory calls the native function, and then the constructor.
     *
     * @param <T> the kind of object
     * @param factory makes the object
     * @param owners must be open
     * @return what the factory has made
     * @throws IllegalStateException if an owner is closed; the factory was not called
     */
    protected static <T extends NativeObject> T create(Supplier<T> factory, NativeObject... owners) {
        TREE.lock();
        try {
            for (NativeObject owner : owners) {
                owner.requireOpen();
            }
            return factory.get();
        } finally {
            TREE.unlock();
        }
    }

    /** Frees the native object. Called once. May throw; the object counts as closed nevertheless. */
    protected abstract void free();

    /**
     * Begins a native call, after the one in progress.
     *
     * @throws IllegalStateException if the object is closed; then {@link #leave} must not be called
     */
    protected final void enter() {
        if (!STATE.compareAndSet(this, OPEN, BUSY)) {
            enterSlow();
        }
    }

    private void enterSlow() {
        int spins = 0;
        do {
            requireOpen();
            spins = pause(spins);
        } while (!STATE.compareAndSet(this, OPEN, BUSY));
    }

    /** Ends a native call. */
    protected final void leave() {
        STATE.setRelease(this, OPEN);
    }

    /**
     * Checks the object without beginning a call.
     *
     * @throws IllegalStateException if it is closed
     */
    protected final void requireOpen() {
        if (!isOpen()) {
            throw new IllegalStateException(kind + " is closed");
        }
    }

    @Override
    public final boolean isOpen() {
        return state != CLOSED;
    }

    @Override
    public final void close() {
        RuntimeException failure;
        TREE.lock();
        try {
            failure = closeTree(null);
        } finally {
            TREE.unlock();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable RuntimeException closeTree(@Nullable RuntimeException before) {
        RuntimeException failure = before;
        while (!dependents.isEmpty()) {
            failure = dependents.getLast().closeTree(failure);
        }
        if (!isOpen()) {
            return failure;
        }
        int spins = 0;
        while (!STATE.compareAndSet(this, OPEN, CLOSED)) {
            spins = pause(spins);
        }
        for (NativeObject owner : owners) {
            owner.dependents.remove(this);
        }
        Lifetimes.closed(place);
        try {
            free();
        } catch (RuntimeException e) {
            if (failure == null) {
                return e;
            }
            failure.addSuppressed(e);
        }
        return failure;
    }

    private static int pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return spins + 1;
    }

    /** {@return the kind of object, for messages} */
    protected final String kind() {
        return kind;
    }
}
