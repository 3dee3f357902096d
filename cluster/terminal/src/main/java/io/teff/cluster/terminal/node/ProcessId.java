package io.teff.cluster.terminal.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A process of this machine. Numbers of processes are used again, also after the machine was started anew, so the start
 * belongs to a process.
 *
 * <p>On Linux the start is the time since the machine's own start, with the id of this start of the machine. So a
 * change of the clock does not move the start of a process. Elsewhere the start is the time since 1970.
 *
 * @param pid the process's number
 * @param start start of the process, a word; {@value #UNKNOWN} if the system does not report a start
 */
public record ProcessId(long pid, String start) {
    /** The start of a process for which the system reports no start. */
    static final String UNKNOWN = "unknown";
    /** The form of a start in files. */
    public static final String START_FORM = "[0-9a-f-]{1,64}|unknown";

    private static final Path PROCESSES = Path.of("/proc");
    private static final Path BOOT = PROCESSES.resolve("sys/kernel/random/boot_id");
    private static final Pattern BLANKS = Pattern.compile(" +");
    /** Index of the start among the fields behind the name. The name may have blanks. The state has index 0. */
    private static final int START_FIELD = 19;

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
        String[] status = status(handle.pid());
        if (status.length > START_FIELD) {
            try {
                return new ProcessId(handle.pid(), Files.readString(BOOT).strip() + "-" + status[START_FIELD]);
            } catch (IOException _) {
                return new ProcessId(handle.pid(), UNKNOWN);
            }
        }
        return new ProcessId(handle.pid(), handle.info().startInstant().map(Instant::toEpochMilli)
            .map(String::valueOf).orElse(UNKNOWN));
    }

    /** {@return the process, if it has not ended} */
    public Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid).filter(handle -> handle.isAlive() && isSame(of(handle)) && !isEnded());
    }

    /** {@return whether the process has not ended} */
    public boolean isAlive() {
        return handle().isPresent();
    }

    /**
     * {@return whether this is the id of the same process}
     *
     * @param other the other process
     */
    public boolean isSame(ProcessId other) {
        return pid == other.pid && (start.equals(other.start) || start.equals(UNKNOWN) || other.start.equals(UNKNOWN));
    }

    /** On Linux, an ended process keeps its number until the parent asks for the exit code. */
    private boolean isEnded() {
        String[] status = status(pid);
        return status.length > 0 && status[0].equals("Z");
    }

    /**
     * Returns Linux's fields of a process, without number and name; empty on other systems, or if the process has
     * ended.
     */
    private static String[] status(long pid) {
        Path file = PROCESSES.resolve(String.valueOf(pid)).resolve("stat");
        try {
            String line = Files.exists(file) ? Files.readString(file) : "";
            int name = line.lastIndexOf(')');
            return name < 0 ? new String[0] : BLANKS.split(line.substring(name + 1).strip());
        } catch (IOException _) {
            return new String[0];                               // the process has just ended
        }
    }

    @Override
    public String toString() {
        return "process " + pid;
    }
}
