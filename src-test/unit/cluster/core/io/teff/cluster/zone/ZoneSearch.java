package io.teff.cluster.zone;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Breadth-first search over all states of a {@link ZoneModel}. A broken invariant ends it with the shortest story. */
final class ZoneSearch {
    private static final int STATES_MAX = 6_000_000;

    private final ZoneModel.Bounds bounds;
    private final Map<Key, Step> seen = new HashMap<>();
    private long ends;
    private long stuck;

    /** 128 bits of a state's text; two states with one key are improbable. */
    private record Key(long high, long low) {}

    private record Step(@Nullable Key from, String event) {}

    /** A state whose events are still to be played. */
    private record Open(ZoneModel state, Key key) {}

    ZoneSearch(ZoneModel.Bounds bounds) {
        this.bounds = bounds;
    }

    long states() {
        return seen.size();
    }

    long ends() {
        return ends;
    }

    long stuck() {
        return stuck;
    }

    void run() {
        Deque<Open> open = new ArrayDeque<>();
        ZoneModel first = ZoneModel.initial(bounds);
        Key firstKey = key(first);
        seen.put(firstKey, new Step(null, "start"));
        open.add(new Open(first, firstKey));
        while (!open.isEmpty()) {
            Open at = open.remove();
            ZoneModel state = at.state();
            Key key = at.key();
            boolean hasNext = false;
            for (String event : state.events()) {
                ZoneModel next = state.copy();
                try {
                    next.play(event);
                    next.audit();
                } catch (IllegalStateException | AssertionError e) {
                    throw new AssertionError(e.getMessage() + "\nreproduce: " + bounds + "\n" + story(key, event), e);
                }
                hasNext = true;
                Key nextKey = key(next);
                if (seen.putIfAbsent(nextKey, new Step(key, event)) == null) {
                    open.add(new Open(next, nextKey));
                }
            }
            if (!hasNext) {
                ends++;
                stuck += state.isServed() ? 0 : 1;
            }
            if (seen.size() > STATES_MAX) {
                throw new AssertionError("more than " + STATES_MAX + " states");
            }
        }
    }

    private String story(Key last, String event) {
        List<String> events = new ArrayList<>();
        events.add(event);
        for (Key key = last; key != null; key = seen.get(key).from()) {
            events.addFirst(seen.get(key).event());
        }
        return String.join("\n", events);
    }

    private static Key key(ZoneModel state) {
        String text = state.text();
        long high = 0xcbf29ce484222325L;
        long low = 0x9e3779b97f4a7c15L;
        for (int i = 0; i < text.length(); i++) {
            high = (high ^ text.charAt(i)) * 0x100000001b3L;
            low = (low + text.charAt(i)) * 0xbf58476d1ce4e5b9L;
            low ^= low >>> 29;
        }
        return new Key(high, low);
    }
}
