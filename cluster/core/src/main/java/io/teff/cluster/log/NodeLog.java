package io.teff.cluster.log;

import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The log of a node: a line for each event, to one logger. Thread-safe; a caller waits for the logger at most.
 *
 * <p><b>Rate.</b> Of one kind of event, {@link #LINES_MAX} lines are written in {@link #WINDOW_NS}. Of an event whose
 * cause repeats it ({@link NodeEvent#isRepeated}), the same text is written once in {@link #REPEAT_NS}. The next line
 * of the kind says how many were left out. So events that other processes cause take bounded room.
 */
public final class NodeLog {
    /** Lines of one kind of event in a window: a node with hundreds of zones may say something of each. */
    static final int LINES_MAX = 200;
    /** The window in which lines are counted. */
    static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(10);
    /** How long a line is not repeated. */
    static final long REPEAT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Texts of a kind that are remembered. */
    static final int TEXTS_MAX = 256;

    /** Drops everything. */
    public static final NodeLog NONE = new NodeLog(new SilentLogger(), Clock.SYSTEM);

    private final System.Logger logger;
    private final Clock clock;
    /** By the ordinal numbers of the kinds of events. */
    private final Rate[] rates = new Rate[NodeEvent.values().length];

    /** What was written of one kind of event, guarded by itself. */
    private static final class Rate {
        private final Map<String, Long> texts = new LinkedHashMap<>();
        private long windowNs;
        private int lines;
        private long omitted;

        /** Returns how many lines were left out before this one, or -1 if this one is left out, too. */
        private synchronized long admit(String text, boolean isRepeated, long nowNs) {
            if (lines == 0 || nowNs - windowNs >= WINDOW_NS) {
                windowNs = nowNs;
                lines = 0;
            }
            final Long last = texts.get(text);
            if (lines >= LINES_MAX || isRepeated && last != null && nowNs - last < REPEAT_NS) {
                omitted++;
                return -1;
            }
            texts.remove(text);                                 // so that the oldest text is the first
            texts.put(text, nowNs);
            if (texts.size() > TEXTS_MAX) {
                texts.remove(texts.keySet().iterator().next());
            }
            lines++;
            final long before = omitted;
            omitted = 0;
            return before;
        }
    }

    /**
     * Makes the log of a node.
     *
     * @param logger receives the lines; called by several threads
     * @param clock measures the rate
     */
    public NodeLog(System.Logger logger, Clock clock) {
        this.logger = logger;
        this.clock = clock;
        Arrays.setAll(rates, _ -> new Rate());
    }

    /**
     * Logs an event.
     *
     * @param event the kind of event
     * @param text what has happened, in one sentence that begins with a small letter
     */
    public void log(NodeEvent event, String text) {
        log(event, text, text);
    }

    /**
     * Logs an event that is the same as others whose text differs.
     *
     * @param event the kind of event
     * @param same what equal events have in common, for the limit of repeated lines
     * @param text what has happened, in one sentence that begins with a small letter
     */
    public void log(NodeEvent event, String same, String text) {
        if (!logger.isLoggable(event.level())) {
            return;
        }
        final long before = rates[event.ordinal()].admit(same, event.isRepeated(), clock.nowNs());
        if (before >= 0) {
            logger.log(event.level(), event.text() + ": " + text
                + (before == 0 ? "" : " (" + before + " more of this kind before)"));
        }
    }

    /**
     * Logs an exception that the node's own code did not expect.
     *
     * @param doing what the node was doing, as "acting on the tables"
     * @param thrown the exception
     */
    public void fault(String doing, Throwable thrown) {
        final String text = doing + ": " + FailureText.of(thrown);
        if (rates[NodeEvent.FAULT.ordinal()].admit(text, true, clock.nowNs()) >= 0) {
            logger.log(NodeEvent.FAULT.level(), NodeEvent.FAULT.text() + ": " + text, thrown);
        }
    }
}
