package io.teff.engine.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Second line of a lock's file: the process that has the lock, its start, the key of the file, and a unique id of the
 * lock. The first line is for people. Stateless.
 */
final class LockLine {
    private static final String BEGIN = "locked:";
    private static final int WORDS = 5;

    private LockLine() {}

    /** Returns the line of a lock of this process. */
    static String of(String fileKey) {
        ProcessHandle process = ProcessHandle.current();
        return String.join(" ", BEGIN, String.valueOf(process.pid()), start(process), word(fileKey),
            UUID.randomUUID().toString());
    }

    private static String start(ProcessHandle process) {
        Optional<Instant> start = process.info().startInstant();
        return start.isPresent() ? start.get().toString() : "unknown";
    }

    private static String word(String key) {
        return key.replace(' ', '_');
    }

    /** Returns the owner that the text of a file names, for people. */
    static String holder(String text) {
        return text.lines().findFirst().orElse("").strip();
    }

    /** Returns whether the text names another process that still runs, and a lock of this very file. */
    static boolean isAlive(String text, String fileKey) {
        String[] words = text.lines().skip(1).findFirst().orElse("").split(" ", -1);
        if (words.length != WORDS || !words[0].equals(BEGIN) || !words[3].equals(word(fileKey))
            || !words[1].matches("[1-9][0-9]{0,17}")) {
            return false;
        }
        long pid = Long.parseLong(words[1]);
        return pid != ProcessHandle.current().pid()
            && ProcessHandle.of(pid).filter(it -> it.isAlive() && start(it).equals(words[2])).isPresent()
            && !isEnded(pid);
    }

    /** Returns whether a process has ended, and only its parent has not taken notice yet: on Linux, a zombie. */
    private static boolean isEnded(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            int state = stat.lastIndexOf(')') + 2;              // behind its name, which may have any character
            return state < stat.length() && (stat.charAt(state) == 'Z' || stat.charAt(state) == 'X');
        } catch (IOException | RuntimeException _) {
            return false;                                       // another system, or it is gone by now
        }
    }
}
