package io.teff.cluster.net.thread;

import io.teff.cluster.net.message.NetworkListener;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What an application has given to a network, called so that nothing that it throws ends the network's threads: that
 * goes to the thread's handler of exceptions that nobody catches, as if the thread had ended with it.
 */
public final class UserCode {
    private UserCode() {}

    /** A listener whose exceptions are told and forgotten. */
    public static NetworkListener listener(NetworkListener its) {
        return new NetworkListener() {
            @Override
            public void up(int nid) {
                run(() -> its.up(nid));
            }

            @Override
            public void delayed(int nid, long silentNs) {
                run(() -> its.delayed(nid, silentNs));
            }

            @Override
            public void away(int nid, @Nullable Throwable why) {
                run(() -> its.away(nid, why));
            }

            @Override
            public void resting(int nid) {
                run(() -> its.resting(nid));
            }

            @Override
            public void lost(int nid, long messages, String why) {
                run(() -> its.lost(nid, messages, why));
            }

            @Override
            public void refused(int nid, String peer, String why) {
                run(() -> its.refused(nid, peer, why));
            }

            @Override
            public void unhandled(int nid, int type) {
                run(() -> its.unhandled(nid, type));
            }

            @Override
            public void failed(int nid, int type, Throwable thrown) {
                run(() -> its.failed(nid, type, thrown));
            }
        };
    }

    /** A book of addresses that knows no node for which it throws. */
    public static IntFunction<@Nullable String> addresses(IntFunction<@Nullable String> its) {
        return nid -> {
            try {
                return its.apply(nid);
            } catch (Throwable e) {
                tell(e);
                return null;
            }
        };
    }

    /** Runs what is not to end its thread. */
    public static void run(Runnable told) {
        try {
            told.run();
        } catch (Throwable e) {
            tell(e);
        }
    }

    /** What an exception says, whatever it throws when it is asked. */
    public static String text(Throwable thrown) {
        try {
            return String.valueOf(thrown.toString());
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }

    /**
     * Lets somebody throw what code of the application has thrown before, whether that could declare it or not.
     *
     * @param <E> what the compiler takes it for: nothing that is to be declared
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
            return;                                             // who does not want to know
        }
    }
}
