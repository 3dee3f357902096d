package io.teff.cluster.terminal.node;

import io.teff.cluster.terminal.node.HealthFile.State;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A question about the health of a node of this machine. */
public enum HealthQuestion {
    /** Whether the node does its work. */
    READY,
    /** Whether the process works, also if it waits for other nodes. A new process would not help a node that waits. */
    LIVE;

    /** A beat is a second; a busy machine or disk may take longer. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(8);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * The answer.
     *
     * @param isWell whether the answer is yes
     * @param state state of the node, for programs
     * @param text the state, for people
     */
    record Answer(boolean isWell, String state, String text) {}

    /** Returns the answer for the node of a folder. Waits for the next beat of the node. */
    Answer ask(Path folder, Clock clock) {
        try {
            HealthFile first = HealthFile.read(folder);
            if (first == null) {
                return new Answer(false, "unknown", "no node runs in " + folder + ", or the node has just begun");
            }
            if (!first.process().isAlive()) {
                return new Answer(false, "ended", first.process() + " has ended");
            }
            long endNs = clock.nowNs() + PATIENCE_NS;
            while (true) {
                HealthFile now = HealthFile.read(folder);
                if (hasBeaten(first, now)) {
                    return answer(now);
                }
                if (clock.nowNs() - endNs > 0) {
                    return new Answer(false, "silent", first.process() + " does not beat: it hangs, or its disk");
                }
                clock.pause(this, LOOK_NS);
            }
        } catch (IOException e) {
            return new Answer(false, "unknown", FailureText.of(e));
        }
    }

    private static boolean hasBeaten(HealthFile first, @Nullable HealthFile now) {
        return now != null && (now.beat() != first.beat() || !now.process().isSame(first.process()));
    }

    private Answer answer(@Nullable HealthFile now) {
        if (now == null) {
            throw new AssertionError("a beat without a file");
        }
        boolean isWell = now.state() == State.READY || this == LIVE && now.state() != State.FAILED;
        return new Answer(isWell, now.state().text(), now.process() + " is " + now.state().text());
    }

    /** {@return the name on the command line} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
