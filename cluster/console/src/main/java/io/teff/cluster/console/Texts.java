package io.teff.cluster.console;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The texts of the last look. Each text is made once for a look, however many programs ask for the text. Thread-safe.
 */
final class Texts {
    private final Picture picture;
    private final boolean hasActions;
    private final Map<String, String> texts = new HashMap<>();
    private @Nullable ClusterLook look;
    private long change;

    Texts(ConsoleSetup setup, Picture picture) {
        this.picture = picture;
        hasActions = setup.hasActions();
    }

    /** Returns the document of the page. */
    String state() {
        List<RecoveryTimeline.Change> changes = picture.timeline().all();
        return of(picture.now(), changes.isEmpty() ? 0 : changes.getLast().number(), "state",
            now -> ConsoleJson.of(State.of(now, changes, hasActions)));
    }

    /** Returns the text for Prometheus. */
    String metrics(boolean isOpenMetrics) {
        return of(picture.now(), 0, isOpenMetrics ? Meters.OPEN_METRICS : Meters.PLAIN,
            now -> Meters.text(now, isOpenMetrics));
    }

    private synchronized String of(ClusterLook now, long lastChange, String name, Function<ClusterLook, String> maker) {
        if (!now.equals(look) || lastChange > change) {
            texts.clear();
            look = now;
            change = Math.max(lastChange, change);
        }
        return texts.computeIfAbsent(name, _ -> maker.apply(now));
    }
}
