package io.teff.engine.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A simple cache without a limit, for comparison: each entry has a value, a deadline and the time of its write. */
final class CacheReference {
    /** The end of an entry that has none. */
    static final long NEVER = Long.MAX_VALUE;

    /** An entry. */
    record Entry(String value, long deadlineMs, long writtenMs) {}

    /** The rule for deadlines. */
    interface Rule {
        /** Returns the deadline after a write. */
        long written(String value, long nowMs);

        /** Returns the deadline after a read. */
        long read(Entry entry, long nowMs);
    }

    private final Map<Object, Entry> entries = new HashMap<>();
    private final Rule rule;
    /** Values that have left the cache by a change of the application. */
    final List<String> left = new ArrayList<>();

    CacheReference(Rule rule) {
        this.rule = rule;
    }

    /** Returns the live entry of a key; drops an expired one. */
    Entry live(Object key, long nowMs) {
        Entry entry = entries.get(key);
        if (entry != null && entry.deadlineMs <= nowMs) {
            leave(key, RemovalCause.EXPIRED);
            return null;
        }
        return entry;
    }

    private void leave(Object key, RemovalCause cause) {
        left.add(Objects.requireNonNull(entries.remove(key)).value + ' ' + cause);
    }

    String peek(Object key, long nowMs) {
        Entry entry = live(key, nowMs);
        return entry == null ? null : entry.value;
    }

    String get(Object key, long nowMs) {
        Entry entry = live(key, nowMs);
        if (entry != null) {
            entries.put(key, new Entry(entry.value, rule.read(entry, nowMs), entry.writtenMs));
        }
        return entry == null ? null : entry.value;
    }

    String put(Object key, String value, long nowMs) {
        return put(key, value, rule.written(value, nowMs), nowMs);
    }

    String put(Object key, String value, long deadlineMs, long nowMs) {
        Entry before = live(key, nowMs);
        if (before != null) {
            leave(key, RemovalCause.REPLACED);
        }
        entries.put(key, new Entry(value, deadlineMs, nowMs));
        return before == null ? null : before.value;
    }

    String remove(Object key, long nowMs) {
        Entry before = live(key, nowMs);
        if (before != null) {
            leave(key, RemovalCause.EXPLICIT);
        }
        return before == null ? null : before.value;
    }

    boolean expireAt(Object key, long deadlineMs, long nowMs) {
        Entry entry = live(key, nowMs);
        if (entry != null) {
            entries.put(key, new Entry(entry.value, deadlineMs, entry.writtenMs));
        }
        return entry != null;
    }

    Map<Object, String> all(long nowMs) {
        Map<Object, String> all = new HashMap<>();
        List.copyOf(entries.keySet()).forEach(key -> {
            Entry entry = live(key, nowMs);
            if (entry != null) {
                all.put(key, entry.value);
            }
        });
        return all;
    }
}
