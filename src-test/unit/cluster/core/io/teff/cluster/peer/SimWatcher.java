package io.teff.cluster.peer;

import io.teff.cluster.collect.ChangeEvent;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.operation.BatchAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.engine.Cid;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A watcher of the map of a zone: asks for the changes behind its number, again and again. Each event has the next
 * number, and is the event that other watchers have seen with this number. A gap is permitted only behind as many
 * changes as a ring keeps. Nothing here draws random numbers, so that each question has its time.
 */
final class SimWatcher {
    private static final int PLACES = 64;
    private static final long BYTES = 256 << 10;
    private static final long PAUSE_NS = 25 * SimWorld.MS;
    private static final long LOST_NS = 700 * SimWorld.MS;

    private final SimClient client;
    private final long root;
    private final WatchHistory history;
    private final SimWorld world;
    private long ring;
    private long number;
    private long asked;
    /** The last event of each key, as its value, or null if it was removed. */
    private final Map<Long, Long> values = new TreeMap<>();
    private boolean isEnding;
    private boolean hasSeenAll;
    private boolean isDropped;

    SimWatcher(SimClient client, long root, WatchHistory history) {
        this.client = client;
        this.root = root;
        this.history = history;
        world = client.world;
    }

    int zone() {
        return Cid.nid(root);
    }

    /** The questions from now on are about all changes. */
    void beginEnd() {
        isEnding = true;
        ask();
    }

    boolean hasSeenAll() {
        return hasSeenAll || isDropped;
    }

    Map<Long, Long> seen() {
        return values;
    }

    /** Returns whether the entries of the map are those of the last events. */
    boolean isOf(Map<Long, Long> entries) {
        return isDropped || values.entrySet().stream().allMatch(seen ->
            entries.getOrDefault(seen.getKey(), Histories.ABSENT).equals(seen.getValue()));
    }

    // ---- questions ----

    private void askLater() {
        long mine = ++asked;
        world.after(client, PAUSE_NS, () -> {
            if (mine == asked) {
                ask();
            }
        });
    }

    /** Sends the next question; earlier ones count as lost. */
    void ask() {
        ZoneRow row = client.tables().zone(zone());
        if (row == null || row.owner() == null || !row.state().isServed()
            || !(world.node(row.owner().nid()) instanceof SimPeer peer)) {
            askLater();
            return;
        }
        long mine = ++asked;
        boolean isOfEnd = isEnding;
        byte[] request = OperationCalls.mapsWatch(root, ring, number, PLACES, BYTES);
        world.after(client, LOST_NS, () -> {
            if (mine == asked) {
                ask();
            }
        });
        world.wire().operation(client, peer, row.owner().nid(), request, LOST_NS, new SimWire.Told() {
            @Override
            public void answered(byte[] answer) {
                if (mine == asked) {
                    take(answer, isOfEnd);
                }
            }

            @Override
            public void failed(NetworkException why, boolean isSent) {
                if (mine == asked) {
                    askLater();
                }
            }
        });
    }

    // ---- answers ----

    private void take(byte[] bytes, boolean isOfEnd) {
        BatchAnswer answer = BatchAnswer.read(bytes, 1, OperationType.MAPS_WATCH);
        answer.rows().forEach(row -> client.tables().update(row));
        if (answer.code(0) == OperationFormat.ABSENT) {
            isDropped = true;
            return;
        }
        if (answer.refusal() != null) {
            world.fail(this + " is refused: " + answer.refusal());
        }
        long result = answer.result(0);
        if (answer.code(0) == OperationFormat.DONE && result >= 0) {
            int from = answer.firstContent();
            boolean isEmpty = take(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, from + (int) result))
                .order(ByteOrder.LITTLE_ENDIAN));
            hasSeenAll |= isEmpty && isOfEnd;
        }
        if (!hasSeenAll) {
            askLater();
        }
    }

    /** Takes an answer; returns whether nothing is new. */
    private boolean take(ByteBuffer content) {
        long of = content.getLong();
        long until = content.getLong();
        boolean isGap = content.getInt() != 0;
        int events = content.getInt();
        if (ring != 0 && of != ring || isGap && until - number < PLACES) {
            world.fail(this + " has a gap from " + number + " to " + until + ", ring " + ring + ", " + of);
        }
        if (isGap) {
            values.clear();
        }
        boolean isFirst = ring == 0;
        ring = of;
        for (int i = 0; i < events; i++) {
            event(content);
        }
        if (!isFirst && !isGap && number != until) {
            world.fail(this + " has an answer up to " + until + " with events up to " + number);
        }
        number = until;
        return events == 0 && !isGap && !isFirst;
    }

    private void event(ByteBuffer content) {
        byte[] event = new byte[content.getInt()];
        content.get(event);
        ByteBuffer each = ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN);
        long next = each.getLong();
        int kind = each.getInt();
        int keyLength = each.getInt();
        String wrong = history.add(ring, next, event);
        if (next != number + 1 || keyLength != 1 || wrong != null) {
            world.fail(this + " gets event " + next + " behind " + number + (wrong == null ? "" : ": " + wrong));
        }
        number = next;
        long key = each.get();
        values.put(key, kind == ChangeEvent.REMOVE ? Histories.ABSENT : each.getLong());
    }

    @Override
    public String toString() {
        return "the watcher of zone " + zone() + " of " + client;
    }
}
