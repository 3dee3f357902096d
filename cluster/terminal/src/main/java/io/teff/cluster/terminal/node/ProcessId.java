package io.teff.cluster.terminal.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A process of this machine. Numbers of processes are used again, so its start belongs to it.
 *
 * @param pid the process's number
 * @param startMs its start, in milliseconds since 1970; 0 if the system does not say
 */
public record ProcessId(long pid, long startMs) {
    /** The system derives the start from the time since its boot, with this error at most. */
    private static final long TOLERANCE_MS = 3_000;

    /** {@return this process} */
    public static ProcessId current() {
        return of(ProcessHandle.current());
    }

    /**
     * {@return the id of a process}
     *
     * @param handle the process
     */
    public static ProcessId of(ProcessHandle handle) {
        return new ProcessId(handle.pid(), handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L));
    }

    /** {@return the process, if it has not ended} */
    public Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid).filter(handle -> handle.isAlive() && isSame(of(handle)) && !isEnded());
    }

    /** {@return whether the process has not ended} */
    public boolean isAlive() {
        return handle().isPresent();
    }

    private boolean isSame(ProcessId other) {
        return startMs == 0 || other.startMs == 0 || Math.abs(startMs - other.startMs) <= TOLERANCE_MS;
    }

    /** On Linux, a process that has ended keeps its number until its parent asks for the exit code. */
    private boolean isEnded() {
        Path file = Path.of("/proc", String.valueOf(pid), "stat");
        try {
            String line = Files.exists(file) ? Files.readString(file) : "";
            int name = line.lastIndexOf(')');
            return name > 0 && line.startsWith(" Z", name + 1);
        } catch (IOException _) {
            return false;                                       // it has just ended; the next look finds nothing
        }
    }

    @Override
    public String toString() {
        return "process " + pid;
    }
}
