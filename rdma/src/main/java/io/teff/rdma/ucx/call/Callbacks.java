package io.teff.rdma.ucx.call;

import io.teff.rdma.ffi.NativeLibrary;
import io.teff.rdma.ucx.UcxStatus;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The calls from UCX into Java. There are three, with one stub each for the whole process: an endpoint has failed, a
 * peer wants to connect, an active message has arrived. UCX makes such calls within calls of the worker, and hands over
 * the number of an object.
 *
 * <p>An exception that left such a call would end the JVM: the targets catch all. A number without an object is
 * ignored: its object was closed. Addresses are {@code long}, so that a call allocates nothing. Objects are held
 * weakly, so that a forgotten one can be found.
 */
public final class Callbacks {
    private static final int SLOTS_AT_FIRST = 64;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfByte STATUS = ValueLayout.JAVA_BYTE;

    private static final BitSet USED = new BitSet();
    /** Replaced when it grows; entries are written while {@link #USED} is locked. */
    private static volatile @Nullable WeakReference<?>[] slots = new WeakReference<?>[SLOTS_AT_FIRST];

    private Callbacks() {}

    /** Gets the failure of an endpoint. */
    public interface FailureTarget {
        /** Is called within any call of the worker. */
        void failed(long endpoint, UcxStatus status);
    }

    /** Gets the requests of peers at a listener. */
    public interface ConnectionTarget {
        /** Is called while the worker makes progress. */
        void wanted(long connection);
    }

    /** Gets the active messages of one number. */
    public interface MessageTarget {
        /**
         * Is called while the worker makes progress or sends to itself.
         *
         * @return {@link UcxStatus#IN_PROGRESS} if the data is still needed
         */
        UcxStatus arrived(long header, long headerLength, long data, long length, long attributes);
    }

    /** The stubs, in a holder class so that they are made on first use. */
    public static final class Stubs {
        public static final long ENDPOINT_FAILED = stub("endpointFailed",
            FunctionDescriptor.ofVoid(LONG, LONG, STATUS));
        public static final long CONNECTION_WANTED = stub("connectionWanted", FunctionDescriptor.ofVoid(LONG, LONG));
        public static final long MESSAGE_ARRIVED = stub("messageArrived",
            FunctionDescriptor.of(STATUS, LONG, LONG, LONG, LONG, LONG, LONG));

        private Stubs() {}

        private static long stub(String method, FunctionDescriptor shape) {
            try {
                final MethodType type = shape.toMethodType();
                final MethodHandle target = MethodHandles.lookup().findStatic(Callbacks.class, method, type);
                return NativeLibrary.callback(target, shape);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Takes a number for an object that does not exist yet. */
    public static int reserve() {
        synchronized (USED) {
            final int number = USED.nextClearBit(1);
            if (number >= slots.length) {
                slots = Arrays.copyOf(slots, slots.length * 2);
            }
            USED.set(number);
            return number;
        }
    }

    /** Registers the object of a reserved number. */
    public static void set(int number, Object target) {
        synchronized (USED) {
            slots[number] = new WeakReference<>(target);
        }
    }

    /** Registers an object and returns its number. */
    public static int add(Object target) {
        final int number = reserve();
        set(number, target);
        return number;
    }

    /** Forgets an object. Later calls with the number do nothing, or reach the next object of the number. */
    public static void remove(int number) {
        synchronized (USED) {
            slots[number] = null;
            USED.clear(number);
        }
    }

    private static @Nullable Object find(long number) {
        final @Nullable WeakReference<?>[] table = slots;
        final WeakReference<?> slot = number > 0 && number < table.length ? table[(int) number] : null;
        return slot == null ? null : slot.get();
    }

    /** {@code ucp_err_handler_cb_t}. */
    public static void endpointFailed(long number, long endpoint, byte status) {
        if (find(number) instanceof FailureTarget target) {
            target.failed(endpoint, UcxStatus.of(status));
        }
    }

    /** {@code ucp_listener_conn_callback_t}. */
    public static void connectionWanted(long connection, long number) {
        if (find(number) instanceof ConnectionTarget target) {
            target.wanted(connection);
        }
    }

    /** {@code ucp_am_recv_callback_t}: the status says whether the descriptor of the data is still needed. */
    public static byte messageArrived(long number, long header, long headerLength, long data, long length,
            long attributes) {
        if (find(number) instanceof MessageTarget target) {
            return (byte) target.arrived(header, headerLength, data, length, Native.getLong(attributes)).code();
        }
        return (byte) UcxStatus.OK.code();
    }
}
