package io.teff.cluster.net.thread;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkListener;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Calls code of the application so that exceptions of the application do not end the network's threads: exceptions are
 * passed to the thread's handler of uncaught exceptions, as if they had ended the thread.
 */
public final class UserCode {
    private UserCode() {}

    /** Returns a listener whose exceptions do not reach the caller. */
    public static NetworkListener listener(NetworkListener listener) {
        return new NetworkListener() {
            @Override
            public void up(int nid) {
                run(() -> listener.up(nid));
            }

            @Override
            public void delayed(int nid, long silentNs) {
                run(() -> listener.delayed(nid, silentNs));
            }

            @Override
            public void away(int nid, @Nullable Throwable why) {
                run(() -> listener.away(nid, why));
            }

            @Override
            public void resting(int nid) {
                run(() -> listener.resting(nid));
            }

            @Override
            public void lost(int nid, long messages, String why) {
                run(() -> listener.lost(nid, messages, why));
            }

            @Override
            public void refused(int nid, String peer, String why) {
                run(() -> listener.refused(nid, peer, why));
            }

            @Override
            public void misdialed(int nid, String peer, String why) {
                run(() -> listener.misdialed(nid, peer, why));
            }

            @Override
            public void identified(ClusterId cluster) {
                run(() -> listener.identified(cluster));
            }

            @Override
            public void unhandled(int nid, int type) {
                run(() -> listener.unhandled(nid, type));
            }

            @Override
            public void failed(int nid, int type, Throwable thrown) {
                run(() -> listener.failed(nid, type, thrown));
            }
        };
    }

    /** Returns an address book in which a node is unknown if the given address book throws for the node. */
    public static IntFunction<@Nullable String> addresses(IntFunction<@Nullable String> intFunction) {
        return nid -> {
            try {
                return intFunction.apply(nid);
            } catch (Throwable e) {
                tell(e);
                return null;
            }
        };
    }

    /** Runs code whose exceptions must not end the thread. */
    public static void run(Runnable told) {
        try {
            told.run();
        } catch (Throwable e) {
            tell(e);
        }
    }

    /** Returns the text of an exception, also if methods of the exception throw. */
    public static String text(Throwable thrown) {
        try {
            return String.valueOf(thrown.toString());
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }

    /**
     * Rethrows an exception of application code, checked or not.
     *
     * @param <E> inferred as unchecked
     */
    @SuppressWarnings("unchecked")
    public static <E extends Throwable> E undeclared(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static void tell(Throwable thrown) {
        final Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable e) {
            return;                                             // the handler itself has thrown
        }
    }
}
