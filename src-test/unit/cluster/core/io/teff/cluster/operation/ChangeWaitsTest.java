package io.teff.cluster.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.collect.ChangeRing;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.operation.WaitMessages.Place;
import io.teff.cluster.operation.WaitMessages.Question;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.os.Clock;
import io.teff.engine.raw.RawGroup;
import io.teff.engine.zone.Zones;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: a question waits until there is a change behind what its watcher knows, and never longer than its time. */
class ChangeWaitsTest {
    private static final int ZONE = 5;
    private static final int WAIT_MS = 1_000;
    private static final long MS = 1_000_000L;
    private static final long MEMORY_BYTES = 16L << 20;

    private final Store store = Store.open(StoreConfig.builder().nid(1).memoryLimitBytes(MEMORY_BYTES).build());
    private final ChunkStore view = Zones.of(store).add(ZONE);
    private @Nullable SlotTable slots = new SlotTable(ZONE, _ -> false);
    private long nowNs = 1;
    private final ChangeWaits waits = new ChangeWaits(zone -> zone == ZONE ? slots : null, new Clock() {
        @Override
        public long nowNs() {
            return nowNs;
        }
    });

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    /** A question that was sent. */
    private static final class Asked implements Answer<WaitMessages.Answer> {
        private @Nullable Integer code;
        private int from = 1;
        private boolean isGivenUp;

        @Override
        public boolean complete(WaitMessages.Answer answer) {
            assertNull(code, "one answer");
            code = answer.code();
            return true;
        }

        @Override
        public int from() {
            return from;
        }

        @Override
        public boolean fail(String reason) {
            code = -1;
            return true;
        }

        @Override
        public boolean isOpen() {
            return !isGivenUp;
        }
    }

    /** A watched map. */
    private final class Watched {
        private final long root = slots.maps().open(view, new MapName("map" + nowNs++, "keys", "values", -1)).root();
        private final ChangeRing ring = slots.maps().watch(view, root, ChangeRing.PLACES_MIN, ChangeRing.BYTES_MIN);

        Place at(long number) {
            return new Place(root, ring.root(), number);
        }

        void change() {
            ring.enter();
            try {
                ring.before(NO_CHUNKS, new byte[1], 1, null, 0, 0);
                ring.after(NO_CHUNKS);
            } finally {
                ring.leave(0);
            }
        }
    }

    private static final RawGroup NO_CHUNKS = new RawGroup() {
        @Override
        public void store(long cid, byte[] content) {
            // the events are not read here
        }

        @Override
        public boolean tryStore(long cid, byte[] content) {
            return true;
        }

        @Override
        public void putLong(long cid, int at, long value) {
            // the events are not read here
        }
    };

    private Asked ask(Place... places) {
        return askAs(1, places);
    }

    private Asked askAs(int client, Place... places) {
        Asked asked = new Asked();
        asked.from = client;
        waits.answer(new Question(WAIT_MS, List.of(places)), asked);
        return asked;
    }

    @Test
    void question_waitsForTheFirstChangeOfAnyMap() {
        Watched one = new Watched();
        Watched other = new Watched();
        Asked asked = ask(one.at(0), other.at(0));
        Asked ofOne = ask(one.at(0));
        assertNull(asked.code);
        other.change();
        assertEquals(WaitMessages.Answer.CHANGED, asked.code);
        assertNull(ofOne.code);
        one.change();
        assertEquals(WaitMessages.Answer.CHANGED, ofOne.code);
        other.change();
        assertEquals(0, waits.count());
    }

    @Test
    void question_isAnsweredAtOnce_ifThereIsAChange_orAnotherRing() {
        Watched map = new Watched();
        map.change();
        assertEquals(WaitMessages.Answer.CHANGED, ask(map.at(0)).code);
        assertNull(ask(map.at(1)).code);
        assertEquals(WaitMessages.Answer.CHANGED, ask(new Place(map.root, map.ring.root() + 1, 1)).code);
        assertEquals(WaitMessages.Answer.CHANGED, ask(new Place(map.root + 1, map.ring.root(), 1)).code);
        assertEquals(WaitMessages.Answer.CHANGED, ask(new Place(1L << 48, map.ring.root(), 1)).code);
        assertEquals(1, waits.count());
    }

    @Test
    void question_endsWithItsTime_andWithTheService_andWithItsWatcher() {
        Watched map = new Watched();
        Asked first = ask(map.at(0));
        nowNs += WAIT_MS / 2 * MS;
        Asked second = ask(map.at(0));
        Asked third = ask(map.at(0));
        waits.look();
        assertNull(first.code);
        nowNs += WAIT_MS / 2 * MS;
        third.isGivenUp = true;
        waits.look();
        assertEquals(WaitMessages.Answer.WAITED, first.code);
        assertNull(second.code);
        assertNotNull(third.code);
        slots = new SlotTable(ZONE, _ -> false);                // the zone has had another owner meanwhile
        waits.look();
        assertEquals(WaitMessages.Answer.CHANGED, second.code);
        assertEquals(0, waits.count());
    }

    @Test
    void question_endsWithTheDropOfItsMap() {
        Watched map = new Watched();
        String name = view.names().all().entrySet().stream().filter(each -> each.getValue().cid() == map.root)
            .findFirst().orElseThrow().getKey();
        Asked asked = ask(map.at(0));
        slots.maps().drop(view, name);
        assertEquals(WaitMessages.Answer.CHANGED, asked.code);
    }

    @Test
    void questions_areBounded() {
        Watched map = new Watched();
        List<Asked> all = new ArrayList<>();
        IntStream.range(0, ChangeWaits.WAITING_MAX).forEach(i ->
            all.add(askAs(i / ChangeWaits.WAITING_OF_ONE_MAX, map.at(0))));
        assertEquals(ChangeWaits.WAITING_MAX, waits.count());
        assertEquals(WaitMessages.Answer.FULL, askAs(99, map.at(0)).code);
        map.change();
        all.forEach(each -> assertEquals(WaitMessages.Answer.CHANGED, each.code));
        assertNull(ask(map.at(1)).code);
    }

    /** A client that asks without end gets a part of the room; others wait as before, and its ends free its part. */
    @Test
    void questionsOfOneClient_areBounded_andLeaveRoomForOthers() {
        Watched map = new Watched();
        List<Asked> all = new ArrayList<>();
        IntStream.range(0, ChangeWaits.WAITING_OF_ONE_MAX).forEach(_ -> all.add(askAs(5, map.at(0))));
        assertEquals(WaitMessages.Answer.FULL, askAs(5, map.at(0)).code);
        assertEquals(WaitMessages.Answer.FULL, askAs(5, map.at(0)).code);
        Asked other = askAs(6, map.at(0));
        assertNull(other.code);
        map.change();
        all.forEach(each -> assertEquals(WaitMessages.Answer.CHANGED, each.code));
        assertEquals(WaitMessages.Answer.CHANGED, other.code);
        IntStream.range(0, ChangeWaits.WAITING_OF_ONE_MAX).forEach(_ -> assertNull(askAs(5, map.at(1)).code));
        assertEquals(WaitMessages.Answer.FULL, askAs(5, map.at(1)).code);
    }
}
