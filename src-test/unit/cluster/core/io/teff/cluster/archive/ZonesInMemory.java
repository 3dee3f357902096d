package io.teff.cluster.archive;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.journal.Journal;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as a backup and a restore see a cluster, without nodes: its zones answer as {@link ArchiveService} does.
 * The owner of a zone can die: then the next owner has the chunks that were recorded until then, as after a recovery,
 * and no session. For one thread.
 */
final class ZonesInMemory {
    private static final NodeRef OWNER = new NodeRef(20, 1);
    private static final int NEVER = Integer.MAX_VALUE;
    /** Entries in an answer: a zone takes several answers. */
    private static final int PART = 3;

    private final ClusterId cluster;
    private final Map<Integer, TreeMap<Long, ByteBuffer>> zones = new TreeMap<>();
    private final TreeSet<Integer> lost = new TreeSet<>();
    private final Map<Integer, Reading> readings = new TreeMap<>();
    private final Map<Integer, Filling> fillings = new TreeMap<>();
    private long number = 1L << 48;
    private long sessions;
    private int reads;

    /** A reader has the zone as it was at one moment. */
    private record Reading(long session, List<Map.Entry<Long, ByteBuffer>> left, long cut) {}

    private record Filling(long session, TreeMap<Long, ByteBuffer> chunks) {}

    ZonesInMemory(long id, int count) {
        cluster = new ClusterId(id, id, "");
        for (int zone = 1; zone <= count; zone++) {
            zones.put(zone, new TreeMap<>());
        }
    }

    /** Changes a chunk. */
    void put(int zone, long index, byte[] content) {
        number++;
        zones.get(zone).put((long) zone << 48 | index, ByteBuffer.wrap(content));
    }

    /** Returns the chunks of all zones. */
    Map<Integer, TreeMap<Long, ByteBuffer>> content() {
        Map<Integer, TreeMap<Long, ByteBuffer>> copy = new TreeMap<>();
        zones.forEach((zone, chunks) -> copy.put(zone, new TreeMap<>(chunks)));
        return copy;
    }

    /** Loses a zone. */
    void lose(int zone) {
        lost.add(zone);
        zones.get(zone).clear();
    }

    /** Returns how many zones were read from their first chunk on. */
    int reads() {
        return reads;
    }

    /** Ends the owner of a zone: the next owner has what was recorded. */
    void killOwner(int zone) {
        readings.remove(zone);
        Filling filling = fillings.remove(zone);
        if (filling != null) {
            zones.get(zone).putAll(filling.chunks());
        }
    }

    /** Returns the connection of a process, which dies with the process. */
    ZoneLink link(KillPoint process) {
        return link(process, NEVER, _ -> { });
    }

    /** Returns the connection of a process. The owner of the zone of a call dies before the call is answered. */
    ZoneLink link(KillPoint process, int deathAtCall) {
        return link(process, deathAtCall, this::killOwner);
    }

    /** Returns the connection of a process. Something happens to the zone of a call before the call is answered. */
    ZoneLink link(KillPoint process, int eventAtCall, IntConsumer event) {
        return new Link(process, eventAtCall, event);
    }

    private final class Link implements ZoneLink {
        private final KillPoint process;
        private final IntConsumer event;
        private int callsUntilEvent;

        Link(KillPoint process, int eventAtCall, IntConsumer event) {
            this.process = process;
            this.event = event;
            callsUntilEvent = eventAtCall;
        }

        @Override
        public ClusterId cluster() {
            return cluster;
        }

        @Override
        public List<ZoneRow> zones() {
            List<ZoneRow> rows = new ArrayList<>();
            zones.keySet().forEach(zone -> rows.add(new ZoneRow(zone, 1,
                lost.contains(zone) ? ZoneState.LOST : ZoneState.OPEN, false, lost.contains(zone) ? null : OWNER,
                List.of(), List.of(), List.of(), 1, 1)));
            return rows;
        }

        @Override
        public ArchiveAnswer call(ArchiveRequest request) throws IOException {
            process.pass();
            if (callsUntilEvent-- == 0) {
                event.accept(request.zone());
            }
            ArchiveAnswer answer = answer(request);
            if (answer.code() == ArchiveAnswer.REFUSED) {
                throw new ZoneRefusedException(new String(answer.content(), StandardCharsets.UTF_8));
            }
            process.pass();
            return answer;
        }

        @Override
        public int newZone() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void pause() {
            process.pass();
        }
    }

    // ---- the owner ----

    private ArchiveAnswer answer(ArchiveRequest request) {
        return switch (request.code()) {
            case ArchiveRequest.READ -> read(request.zone());
            case ArchiveRequest.NEXT -> next(request);
            case ArchiveRequest.LEAVE -> ArchiveAnswer.of(ArchiveAnswer.END);
            case ArchiveRequest.FILL -> fill(request);
            case ArchiveRequest.PUT -> put(request);
            default -> publish(request);
        };
    }

    private ArchiveAnswer begun(long session) {
        return new ArchiveAnswer(ArchiveAnswer.DONE, session, 0, ArchiveRequest.NONE);
    }

    private ArchiveAnswer read(int zone) {
        reads++;
        readings.put(zone, new Reading(++sessions, new ArrayList<>(new TreeMap<>(zones.get(zone)).entrySet()), number));
        return begun(sessions);
    }

    private ArchiveAnswer next(ArchiveRequest request) {
        Reading reading = readings.get(request.zone());
        if (reading == null || reading.session() != request.session()) {
            return ArchiveAnswer.of(ArchiveAnswer.LOST);
        }
        EntryBytes part = new EntryBytes();
        for (int i = 0; i < PART && !reading.left().isEmpty(); i++) {
            Map.Entry<Long, ByteBuffer> chunk = reading.left().removeFirst();
            byte[] content = chunk.getValue().array();
            part.add(chunk.getKey(), reading.cut(), Journal.PUT, MemorySegment.ofArray(content), 0, content.length);
        }
        return new ArchiveAnswer(reading.left().isEmpty() ? ArchiveAnswer.END : ArchiveAnswer.DONE, reading.session(),
            reading.cut(), part.toArray());
    }

    private ArchiveAnswer fill(ArchiveRequest request) {
        if (!zones.get(request.zone()).isEmpty() && request.content().length == 0) {
            return new ArchiveAnswer(ArchiveAnswer.REFUSED, 0, 0,
                ("zone " + request.zone() + " has chunks").getBytes(StandardCharsets.UTF_8));
        }
        zones.get(request.zone()).clear();
        fillings.put(request.zone(), new Filling(++sessions, new TreeMap<>()));
        return begun(sessions);
    }

    private @Nullable Filling filling(ArchiveRequest request) {
        Filling filling = fillings.get(request.zone());
        return filling == null || filling.session() != request.session() ? null : filling;
    }

    private ArchiveAnswer put(ArchiveRequest request) {
        Filling filling = filling(request);
        if (filling == null) {
            return ArchiveAnswer.of(ArchiveAnswer.LOST);
        }
        EntryBytes entries = EntryBytes.of(request.content());
        while (entries.next()) {
            filling.chunks().put(entries.cid(), ByteBuffer.wrap(Arrays.copyOfRange(entries.array(),
                entries.contentAt(), entries.contentAt() + entries.length())));
        }
        return begun(request.session());
    }

    private ArchiveAnswer publish(ArchiveRequest request) {
        Filling filling = filling(request);
        if (filling == null) {
            return ArchiveAnswer.of(ArchiveAnswer.LOST);
        }
        fillings.remove(request.zone());
        zones.put(request.zone(), filling.chunks());
        return ArchiveAnswer.of(ArchiveAnswer.END);
    }
}
