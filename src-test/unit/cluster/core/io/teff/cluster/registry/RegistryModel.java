package io.teff.cluster.registry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a registry has to do, in the words of its users: a map of names, and a list of parties for each queue. The model
 * has no revisions of its own: it takes the numbers of the registry, and checks that they rise.
 */
final class RegistryModel {
    /** A name of the model. */
    record Name(String value, long version, long session) {}

    /** A party in a queue of the model. */
    static final class Party {
        final long session;
        final int permits;
        final long number;
        long token;
        boolean hasLeft;

        Party(long session, int permits, long number) {
            this.session = session;
            this.permits = permits;
            this.number = number;
        }
    }

    /** A queue of the model. */
    static final class Line {
        final boolean isBarrier;
        final int permits;
        final List<Party> parties = new ArrayList<>();

        Line(boolean isBarrier, int permits) {
            this.isBarrier = isBarrier;
            this.permits = permits;
        }
    }

    final TreeMap<String, Name> names = new TreeMap<>();
    final TreeMap<String, Line> lines = new TreeMap<>();
    final LinkedHashMap<Long, Long> sessions = new LinkedHashMap<>();
    /** The highest token ever seen, by queue: rises for ever, also while the queue is empty. */
    private final Map<String, Long> highest = new HashMap<>();

    static long number(byte[] value) {
        return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /** The session ends: what it has is gone. */
    void end(long session) {
        sessions.remove(session);
        names.values().removeIf(name -> name.session() == session);
        for (String name : List.copyOf(lines.keySet())) {
            leave(name, session, -1);
        }
    }

    /** A party leaves, or all parties of a session with number -1. */
    void leave(String name, long session, long number) {
        final Line line = lines.get(name);
        for (Party party : List.copyOf(line.parties)) {
            if (party.session == session && (number < 0 || party.number == number)) {
                if (line.isBarrier && party.token > 0) {
                    party.hasLeft = true;
                } else {
                    line.parties.remove(party);
                }
            }
        }
        line.parties.removeIf(party -> line.isBarrier && party.token > 0 && line.parties.stream()
            .noneMatch(other -> other.token == party.token && !other.hasLeft));
        if (line.parties.isEmpty()) {
            lines.remove(name);
        }
    }

    /** Compares the grants of the registry with the rules, and takes its tokens over. */
    void granted(Registry registry) {
        for (Map.Entry<String, Line> each : lines.entrySet()) {
            final QueueRow row = registry.queue(each.getKey());
            final Line line = each.getValue();
            require(row != null && row.places().size() == line.parties.size(), "size of " + each.getKey());
            if (line.isBarrier) {
                grantTogether(line, row, each.getKey());
            } else {
                grantInOrder(line, row, each.getKey());
            }
        }
    }

    private void grantInOrder(Line line, QueueRow row, String name) {
        int free = line.permits;
        boolean isOver = false;
        for (int i = 0; i < line.parties.size(); i++) {
            final Party party = line.parties.get(i);
            final long token = row.places().get(i).token();
            isOver |= party.permits > free;
            require(token > 0 != isOver, "a place is granted if it is free, in order: " + name + " " + i);
            free -= isOver ? 0 : party.permits;
            take(party, token, name);
        }
    }

    private void grantTogether(Line line, QueueRow row, String name) {
        final List<Party> waiting = line.parties.stream().filter(party -> party.token == 0).toList();
        final boolean isOpened = waiting.size() >= line.permits;
        long together = 0;
        for (int i = 0; i < line.parties.size(); i++) {
            final Party party = line.parties.get(i);
            final long token = row.places().get(i).token();
            if (party.token == 0) {
                final boolean isGranted = isOpened && waiting.indexOf(party) < line.permits;
                require(token > 0 == isGranted, "a barrier opens when all are there: " + name + " " + i);
                require(!isGranted || together == 0 || together == token, "all have one token");
                together = isGranted ? token : together;
                final long before = highest.getOrDefault(name, 0L);
                require(token == 0 || token >= before, "a token falls");
                party.token = token;
                highest.merge(name, token, Math::max);
            } else {
                require(token == party.token, "a token changes");
            }
        }
    }

    private void take(Party party, long token, String name) {
        if (party.token == 0 && token > 0) {
            require(token > highest.getOrDefault(name, 0L), "token " + token + " of " + name + " was given before");
            highest.put(name, token);
            party.token = token;
        }
        require(token == party.token, "a token changes");
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
