package io.teff.cluster.meta;

import io.teff.cluster.meta.MachineState.OpenSession;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The sessions of clients in a {@link MetadataMachine}. A number is given once. Not thread-safe. */
final class SessionTable {
    /** Most open sessions: more clients than there are NIDs for. */
    static final int SESSIONS_MAX = 65_536;

    /** Version of the tables at the last change. */
    private long version;
    /** The last given number. */
    private int last;
    /** Keys of the open sessions by number. */
    private final TreeMap<Integer, Long> keys = new TreeMap<>();
    private final Map<Long, Integer> numbers = new HashMap<>();

    SessionTable(long version, int last, List<OpenSession> open) {
        this.version = version;
        this.last = last;
        for (OpenSession each : open) {
            keys.put(each.session(), each.key());
            numbers.put(each.key(), each.session());
        }
    }

    long version() {
        return version;
    }

    int last() {
        return last;
    }

    List<OpenSession> all() {
        return keys.entrySet().stream().map(it -> new OpenSession(it.getKey(), it.getValue())).toList();
    }

    /** Returns the numbers of the open sessions, in ascending order. */
    List<Integer> open() {
        return List.copyOf(keys.keySet());
    }

    boolean hasEnded(int session) {
        return session <= last && !keys.containsKey(session);
    }

    /** Returns the number of the session with a key, or null. */
    @Nullable Integer number(long key) {
        return numbers.get(key);
    }

    /** Returns why no session can be opened, or null. */
    @Nullable String obstacle() {
        return keys.size() >= SESSIONS_MAX ? SESSIONS_MAX + " clients have sessions"
            : last == Integer.MAX_VALUE - 1 ? "all numbers of sessions were used" : null;
    }

    /** Opens a session in a version of the tables; returns the number of the session. */
    int open(long key, long at) {
        version = at;
        keys.put(++last, key);
        numbers.put(key, last);
        return last;
    }

    /** Returns whether a session is open. */
    boolean isOpen(int session) {
        return keys.containsKey(session);
    }

    /** Ends an open session in a version of the tables. */
    void end(int session, long at) {
        version = at;
        numbers.remove(keys.remove(session));
    }

    /** Ends all sessions up to a number, in a version of the tables. */
    void endAll(int upTo, long at) {
        version = at;
        last = upTo;
        keys.clear();
        numbers.clear();
    }

    boolean isSound(long tables) {
        return (keys.isEmpty() || keys.lastKey() <= last) && numbers.size() == keys.size() && version <= tables;
    }
}
