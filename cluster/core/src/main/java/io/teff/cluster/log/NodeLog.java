package io.teff.cluster.log;

import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The log of a node: a line for each event, to one logger. Thread-safe; a caller waits for the logger at most.
 *
 * <p><b>Rate.</b> Of one kind of event, {@link #LINES_MAX} lines are written in {@link #WINDOW_NS}. If the cause of an
 * event repeats the event ({@link NodeEvent#isRepeated}), each text is written once in {@link #REPEAT_NS}. The next
 * line of the kind has the number of omitted lines. So events caused by other processes take bounded room. Texts of
 * libraries may have other numbers in each repetition, so these texts are compared without numbers ({@link #words}).
 */
public final class NodeLog {
    /** Lines of one kind of event in a window: a node with hundreds of zones may log a line for each zone. */
    static final int LINES_MAX = 200;
    /** The window in which lines are counted. */
    static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(10);
    /** How long a line is not repeated. */
    static final long REPEAT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Characters of a refusal that tell its reason, without names behind them. */
    private static final int REASON_CHARS = 60;
    /** Remembered texts of a kind. */
    static final int TEXTS_MAX = 256;
    /** A number between blanks or signs. Numbers of addresses and of names are no such numbers. */
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.:-])-?(0x[0-9a-f]+|\\d+)(?![\\w:]|\\.\\d)");

    /** Drops everything. */
    public static final NodeLog NONE = new NodeLog(new SilentLogger(), () -> 0);

    private final System.Logger logger;
    private final Clock clock;
    private final LogLines lines = new LogLines();
    /** By the ordinal numbers of the kinds of events. */
    private final Rate[] rates = new Rate[NodeEvent.values().length];

    /** The state of one kind of event, guarded by this object. */
    private static final class Rate {
        private final Map<String, Long> texts = new LinkedHashMap<>();
        private long windowNs;
        private int lines;
        private long omitted;

        /** Returns the number of lines omitted before this line, or -1 if this line is omitted, too. */
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
     * @param text the event, in one sentence with a small first letter
     */
    public void log(NodeEvent event, String text) {
        log(event, text, text);
    }

    /**
     * Logs an event equal to earlier events with other texts.
     *
     * @param event the kind of event
     * @param same the common text of equal events, for the limit of repeated lines
     * @param text the event, in one sentence with a small first letter
     */
    public void log(NodeEvent event, String same, String text) {
        if (!logger.isLoggable(event.level())) {
            return;
        }
        final long before = rates[event.ordinal()].admit(same, event.isRepeated(), clock.nowNs());
        if (before >= 0) {
            final String line = line(event, text, before);
            lines.add(clock.epochMs(), event.level(), line);
            logger.log(event.level(), line);
        }
    }

    /**
     * Logs a refused link. Texts with the same begin are equal events: behind the begin there may be names that a
     * stranger has chosen.
     *
     * @param peer address of the other end
     * @param why for people
     */
    public void refused(String peer, String why) {
        final int colon = peer.lastIndexOf(':');                // the port of a caller differs between attempts
        final String words = words(why);
        final String begin = words.substring(0, Math.min(words.length(), REASON_CHARS));
        log(NodeEvent.LINK_REFUSED, (colon < 0 ? peer : peer.substring(0, colon)) + begin,
            "a link with " + peer + " was refused: " + why);
    }

    /**
     * Returns a text with a sign in the place of each number, for texts whose numbers differ between equal events.
     * Names of hosts, addresses and ports stay.
     *
     * @param text the text of an event
     * @return the common text of equal events
     */
    public static String words(String text) {
        return NUMBER.matcher(text).replaceAll("#");
    }

    /**
     * Logs an exception unexpected by the node's own code.
     *
     * @param doing activity of the node, as "acting on the tables"
     * @param thrown the exception
     */
    public void fault(String doing, Throwable thrown) {
        final String text = doing + ": " + FailureText.of(thrown);
        final long before = rates[NodeEvent.FAULT.ordinal()].admit(words(text), true, clock.nowNs());
        if (before >= 0) {
            final String line = line(NodeEvent.FAULT, text, before);
            lines.add(clock.epochMs(), NodeEvent.FAULT.level(), line);
            logger.log(NodeEvent.FAULT.level(), line, thrown);
        }
    }

    /**
     * {@return the last lines of this log, from memory}
     *
     * @param count most lines; at most 256 are kept
     */
    public List<String> lines(int count) {
        return lines.last(count);
    }

    private static String line(NodeEvent event, String text, long before) {
        return event.text() + ": " + text + (before == 0 ? "" : " (" + before + " more of this kind before)");
    }
}
