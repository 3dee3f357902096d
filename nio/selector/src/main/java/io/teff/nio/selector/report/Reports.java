package io.teff.nio.selector.report;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the connections of a provider by reason, and writes an event for each. Any thread. */
public final class Reports {
    private final Map<LinkReason, LongAdder> counts = new EnumMap<>(LinkReason.class);
    private final AtomicReference<@Nullable Throwable> lastFailure = new AtomicReference<>();

    /** Begins with zeros. */
    public Reports() {
        for (LinkReason reason : LinkReason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    /**
     * Counts a connection.
     *
     * @param reason of the way
     * @param localAddress for the event
     * @param remoteAddress for the event
     */
    public void count(LinkReason reason, @Nullable Object localAddress, @Nullable Object remoteAddress) {
        Objects.requireNonNull(counts.get(reason)).increment();
        final LinkEvent event = new LinkEvent(reason, String.valueOf(localAddress), String.valueOf(remoteAddress));
        event.commit();
    }

    /**
     * Takes note of a failure beside connections, such as a missing library.
     *
     * @param failure the newest
     */
    public void failed(Throwable failure) {
        lastFailure.set(failure);
    }

    /** {@return the newest failure beside connections; null if there was none} */
    public @Nullable Throwable lastFailure() {
        return lastFailure.get();
    }

    /** {@return the number of connections by reason, reasons without a connection included} */
    public Map<LinkReason, Long> counts() {
        final Map<LinkReason, Long> all = new EnumMap<>(LinkReason.class);
        counts.forEach((reason, count) -> all.put(reason, count.sum()));
        return all;
    }
}
