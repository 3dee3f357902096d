package io.teff.cluster.terminal.node;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * The signals that ask a process to end: SIGTERM, SIGINT (Ctrl-C) and SIGHUP (the terminal closes). A JVM runs its
 * shutdown hooks at these signals and ends with code 128 + number of the signal. Managers of services take such a code
 * for a failure. Here the hooks run, too, and the code is 0.
 *
 * <p>Rejected: {@link Runtime#halt} with 0 at the end of a hook would cut off other hooks, such as the hook that writes
 * the JVM's recording of events.
 */
public final class EndSignals {
    private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

    private EndSignals() {}

    /**
     * Lets the process exit with code 0 at each of the signals. Signals that the process ignores are still ignored. If
     * the JVM leaves the signals to the system ({@code -Xrs}), nothing changes.
     */
    public static void exitInOrder() {
        try {
            for (String name : NAMES) {
                handle(name);
            }
        } catch (ReflectiveOperationException _) {
            return;                                             // the JVM's own handlers stay, with their exit codes
        }
    }

    /** By reflection, because the compiler warns of each other use of the JDK's class for signals. */
    private static void handle(String name) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        MethodHandle exit = MethodHandles.publicLookup().findStatic(System.class, "exit",
            MethodType.methodType(void.class, int.class));
        MethodHandle onSignal = MethodHandles.dropArguments(MethodHandles.insertArguments(exit, 0, 0), 0, signal);
        Object named = signal.getConstructor(String.class).newInstance(name);
        var _ = signal.getMethod("handle", signal, handler)
            .invoke(null, named, MethodHandleProxies.asInterfaceInstance(handler, onSignal));
    }
}
