package io.teff.engine.os;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The session of this process, by setsid(2). The JDK has no such call, and starts child processes in the session and in
 * the process group of the parent.
 *
 * <p>A terminal sends SIGINT to a process group at Ctrl-C, and SIGHUP when the terminal closes. {@code timeout} and
 * programs that run the steps of a build end process groups. No such signal reaches a process in a session of its own,
 * nor later children of the process. Thread-safe.
 */
public final class ProcessSession {
    private ProcessSession() {}

    /**
     * Makes a session with this process alone, without a terminal, and a process group with this process alone.
     *
     * @return whether the process has a session or a process group of its own now; false if native access was not
     *     granted to the engine, or the system has no sessions
     */
    public static boolean begin() {
        if (!ProcessSession.class.getModule().isNativeAccessEnabled()
            || Linker.nativeLinker().defaultLookup().find("setsid").isEmpty()) {
            return false;
        }
        final int session = Calls.setsid();
        assert session == -1 || session == ProcessHandle.current().pid() : session;
        return true;                                            // refused only if the process leads a group
    }

    /** The handle, in a holder class so that the handle is linked on first use only. */
    @SuppressWarnings("restricted")
    private static final class Calls {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final MethodHandle SETSID = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("setsid"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT));

        static int setsid() {
            try {
                return (int) SETSID.invokeExact();
            } catch (Throwable t) {
                throw new AssertionError(t);                    // a downcall declares nothing
            }
        }
    }
}
