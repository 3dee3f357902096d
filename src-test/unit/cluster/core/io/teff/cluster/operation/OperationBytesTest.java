package io.teff.cluster.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.ChangeEvent;
import io.teff.cluster.collect.ChangeRing;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.Store;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.raw.RawFilter;
import io.teff.engine.view.ChunkFilter;
import io.teff.engine.zone.ChunkChange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every cut and every flipped bit of each message. A cut request is refused, and changes nothing. A flipped one is
 * refused, or is another valid request; in both cases it is answered once, and the store stays sound. A cut or flipped
 * answer is refused, or is another valid answer.
 */
class OperationBytesTest {
    private static final int ZONE = 5;
    private static final int ELSEWHERE = 6;

    private final Store store = Store.open(StoreConfig.builder().nid(ZONE).memoryLimitBytes(256L << 20).build());
    private final SlotTable slots = new SlotTable(ZONE, _ -> false);
    private final OperationService service = new OperationService(new OneZone());
    private final Map<String, byte[]> requests = new HashMap<>();
    private final Map<String, OperationType> types = new HashMap<>();
    private long cid;
    private long near;

    /** Serves one zone, and knows the row of another one. */
    private final class OneZone extends StoreHost {
        @Override
        public @Nullable Store serving(int zone) {
            return zone == ZONE ? store : null;
        }

        @Override
        public @Nullable SlotTable slots(int zone) {
            return zone == ZONE ? slots : null;
        }

        @Override
        protected Store groups(int zone) {
            return store;
        }

        @Override
        public @Nullable ZoneRow row(int zone) {
            NodeRef owner = new NodeRef(16, 1);
            return zone != ELSEWHERE ? null : new ZoneRow(ELSEWHERE, 3, ZoneState.OPEN, false, owner,
                List.of(new Backup(new NodeRef(17, 2), 4)), List.of(), List.of(), 5, 70);
        }

        @Override
        public void afterRead(int zone, long read, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }

        @Override
        public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }

        @Override
        public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }
    }

    /** Keeps what comes back. */
    private static final class Recorder implements Reply {
        private byte @Nullable [] bytes;
        private @Nullable String failure;
        private int count;

        @Override
        public void answer(MemorySegment memory, int length) {
            bytes = memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            count++;
        }

        @Override
        public void fail(String why) {
            failure = why;
            count++;
        }
    }

    @BeforeEach
    void makeRequests() {
        cid = store.create(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        near = store.create(new byte[] {9});
        add("get", OperationType.GET, 0, 0, 64, cid);
        add("size", OperationType.SIZE, 0, 0, 0, cid);
        add("get bytes", OperationType.GET_BYTES, 0, 0, 2, cid).putLong(1);
        keep("get bytes");
        add("get field", OperationType.GET_FIELD, 0, 4, 0, cid).putLong(4);
        keep("get field");
        add("create", OperationType.CREATE, 0, 0, 3, (long) ZONE << 48).putBytes(new byte[3], 0, 3);
        keep("create");
        add("create elsewhere", OperationType.CREATE, 0, 0, 0, (long) ELSEWHERE << 48);
        add("create zeros", OperationType.CREATE, OperationFormat.ZEROS, 0, 9, (long) ZONE << 48);
        add("put", OperationType.PUT, 0, 0, 9, cid).putBytes(new byte[9], 0, 9);
        keep("put");
        add("put bytes", OperationType.PUT_BYTES, 0, 0, 2, cid).putLong(1).putBytes(new byte[2], 0, 2);
        keep("put bytes");
        add("resize", OperationType.RESIZE, 0, 0, 9, cid);
        add("seal", OperationType.SEAL, 0, 0, 0, near);
        add("remove", OperationType.REMOVE, 0, 0, 0, near);
        add("put field", OperationType.PUT_FIELD, 0, 8, 0, cid).putLong(0).putLong(77);
        keep("put field");
        add("add", OperationType.ADD, 0, 4, 0, cid).putLong(0).putLong(1);
        keep("add");
        add("compare and set", OperationType.COMPARE_AND_SET, 0, 8, 0, cid).putLong(0).putLong(1).putLong(2);
        keep("compare and set");
        add("reserve", OperationType.RESERVE, 0, 0, 3, (long) ZONE << 48);
        add("unreserve", OperationType.UNRESERVE, 0, 0, 0, store.ids().reserve());
        add("create at", OperationType.CREATE_AT, 0, 0, 3, store.ids().reserve()).putBytes(new byte[3], 0, 3);
        keep("create at");
        add("create zeros at", OperationType.CREATE_AT, OperationFormat.ZEROS, 0, 9, store.ids().reserve());
        batches();
        locks();
        group();
        maps();
    }

    /** No map is open here, so that short requests are answered that they must be long. */
    private void maps() {
        add("map open", OperationType.MAP_OPEN, 0, 0, 9, (long) ZONE << 48).putBytes(new byte[9], 0, 9);
        keep("map open");
        add("map get", OperationType.MAP_GET, 0, 0, 3, cid).putBytes(new byte[3], 0, 3);
        keep("map get");
        add("map put", OperationType.MAP_CHANGE, 0, 0, 5, cid).putLong(MapMode.PUT.number()).putLong(3).putLong(0)
            .putBytes(new byte[5], 0, 5);
        keep("map put");
        add("map remove if same", OperationType.MAP_CHANGE, 0, 0, 5, cid).putLong(MapMode.REMOVE_IF_SAME.number())
            .putLong(3).putLong(2).putBytes(new byte[5], 0, 5);
        keep("map remove if same");
        add("map size", OperationType.MAP_SIZE, 0, 0, 0, cid).putLong(OperationFormat.MAP_MEMORY);
        keep("map size");
        add("map page", OperationType.MAP_PAGE, 0, 0, 64, cid).putLong(7);
        keep("map page");
        batchesOfMaps();
        collections();
        add("cids", OperationType.CIDS, 0, 0, 3, (long) ZONE << 48).putLong(1);
        keep("cids");
        byte[] filter = RawFilter.bytes(ChunkFilter.all().ofBytes(0, 99).withBytes(1, new byte[] {5}));
        add("cids where", OperationType.CIDS_WHERE, 0, 0, filter.length, (long) ZONE << 48).putLong(1)
            .putBytes(filter, 0, filter.length);
        keep("cids where");
    }

    /** No queue, list or sorted map is open here, as no map is. */
    private void collections() {
        byte[] content = new byte[9];
        add("collection open", OperationType.COLLECTION_OPEN, 0, 0, 9, (long) ZONE << 48).putBytes(content, 0, 9);
        keep("collection open");
        add("collection read", OperationType.COLLECTION_READ, 0, 0, 9, cid).putLong(CollectionMode.SORTED_GET.number())
            .putLong(0).putLong(0).putBytes(content, 0, 9);
        keep("collection read");
        add("collection change", OperationType.COLLECTION_CHANGE, 0, 0, 9, cid)
            .putLong(CollectionMode.QUEUE_OFFER.number()).putLong(0).putLong(0).putBytes(content, 0, 9);
        keep("collection change");
        add("collection move", OperationType.COLLECTION_MOVE, 0, 0, 9, cid).putLong(MoveMode.TAKE.number()).putLong(1)
            .putLong(0).putBytes(content, 0, 9);
        keep("collection move");
    }

    private void batchesOfMaps() {
        byte[] content = new byte[8];
        for (OperationType type : List.of(OperationType.MAPS_OPEN, OperationType.MAPS_DROP)) {
            add(type.name(), type, 0, 0, 1, 0).putLong((long) ZONE << 48).putInt(8).putBytes(content, 0, 8);
            keep(type.name());
        }
        add("maps get", OperationType.MAPS_GET, 0, 0, 2, 0).putLong(cid).putLong(near).putInt(8).putInt(0)
            .putBytes(content, 0, 8);
        keep("maps get");
        add("maps size", OperationType.MAPS_SIZE, 0, 0, 2, OperationFormat.MAP_MEMORY).putLong(cid).putLong(near);
        keep("maps size");
        add("maps page", OperationType.MAPS_PAGE, 0, 0, 1, OperationFormat.KEYS_ONLY | 9).putLong(cid).putInt(8)
            .putLong(7);
        keep("maps page");
        add("maps change", OperationType.MAPS_CHANGE, 0, 0, 2, MapMode.SET.number()).putLong(cid)
            .putLong((long) ELSEWHERE << 48 | 1).putInt(10).putInt(8).putInt(1).putInt(0).putBytes(content, 0, 2)
            .putInt(0).putInt(0);
        keep("maps change");
        add("maps watch", OperationType.MAPS_WATCH, 0, 0, 1, 1 << 12).putLong(cid).putInt(ChangeEvent.QUESTION_BYTES)
            .putLong(0).putLong(0).putInt(ChangeRing.PLACES_MIN).putInt(ChangeEvent.ALL).putLong(ChangeRing.BYTES_MIN);
        keep("maps watch");
        add("maps fence", OperationType.MAPS_FENCE, 0, 0, 1, 7).putLong(cid);
        keep("maps fence");
    }

    private void group() {
        ChunkChange change = new ChunkChange(cid, ChunkChange.Condition.EQUAL, new byte[3], ChunkChange.Change.PUT,
            new byte[5]);
        ChunkChange other = new ChunkChange(near, ChunkChange.Condition.PRESENT, null, ChunkChange.Change.NONE, null);
        GroupBytes.put(add("group", OperationType.GROUP, 0, 0, 2 * GroupBytes.HEAD_BYTES + 8, cid).putLong(0), change);
        GroupBytes.put(RequestBytes.own(), other);
        keep("group");
        ChunkChange fence = new ChunkChange(cid, ChunkChange.Condition.NOT_ABOVE, new byte[8], ChunkChange.Change.PUT,
            new byte[8]);
        GroupBytes.put(add("fence", OperationType.GROUP, 0, 0, GroupBytes.HEAD_BYTES + 16, cid).putLong(0), fence);
        keep("fence");
    }

    private void locks() {
        RequestBytes.own().token(1L << 48 | 5);
        add("put with a token", OperationType.PUT, 0, 0, 9, cid).putBytes(new byte[9], 0, 9);
        keep("put with a token");
        add("renew lock", OperationType.RENEW_LOCK, 0, 0, 0, near).putLong(1L << 48 | 5);
        keep("renew lock");
        long lease = OperationFormat.LEASE_NS_MIN;
        RequestBytes.once();
        add("lock", OperationType.LOCK, 0, 0, 0, near).putLong(OperationFormat.WRITE_LOCK).putLong(lease)
            .putTicket(1, 0, Ticket.of(1, 1));
        keep("lock");
        RequestBytes.once();
        add("swap lock", OperationType.SWAP_LOCK, 0, 0, 0, near).putLong(0).putLong(lease).putLong(1)
            .putTicket(1, 0, Ticket.of(1, 2));
        keep("swap lock");
        RequestBytes.once();
        add("unlock", OperationType.UNLOCK, 0, 0, 0, near).putLong(1).putTicket(1, 0, Ticket.of(1, 3));
        keep("unlock");
    }

    private void batches() {
        add("batch get", OperationType.BATCH_GET, 0, 0, 3, 100).putLong(cid).putLong(near).putLong(6L << 48 | 1);
        keep("batch get");
        add("batch size", OperationType.BATCH_SIZE, 0, 0, 2, 0).putLong(cid).putLong(near);
        keep("batch size");
        add("batch get long", OperationType.BATCH_GET_LONG, 0, 0, 2, 0).putLong(6L << 48 | 1).putLong(cid);
        keep("batch get long");
        add("batch create", OperationType.BATCH_CREATE, 0, 0, 2, (long) ZONE << 48).putInt(1).putInt(2)
            .putBytes(new byte[3], 0, 3);
        keep("batch create");
        add("batch create zeros", OperationType.BATCH_CREATE, OperationFormat.ZEROS | OperationFormat.UNIFORM, 0, 2,
            (long) ZONE << 48).putInt(4);
        keep("batch create zeros");
        add("batch put", OperationType.BATCH_PUT, 0, 0, 2, 0).putLong(cid).putLong(near).putInt(8).putInt(1)
            .putBytes(new byte[9], 0, 9);
        keep("batch put");
        add("batch resize", OperationType.BATCH_RESIZE, 0, 0, 2, 0).putLong(cid).putLong(near).putInt(8).putInt(1);
        keep("batch resize");
        add("batch remove", OperationType.BATCH_REMOVE, 0, 0, 1, 0).putLong(near);
        keep("batch remove");
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private RequestBytes add(String name, OperationType type, int flags, int width, int length, long at) {
        RequestBytes bytes = RequestBytes.own().begin(type, WriteLevel.BACKED, flags, width, length, at);
        types.put(name, type);
        keep(name);
        return bytes;
    }

    private void keep(String name) {
        RequestBytes bytes = RequestBytes.own();
        requests.put(name, Arrays.copyOf(bytes.bytes(), bytes.length()));
    }

    /** Executes bytes in the middle of others, as they lie in a receive buffer. */
    private Recorder execute(byte[] request) {
        byte[] around = new byte[request.length + 7];
        Arrays.fill(around, (byte) -1);
        System.arraycopy(request, 0, around, 3, request.length);
        Recorder recorder = new Recorder();
        service.execute(MemorySegment.ofArray(around), 3, request.length, false, recorder);
        assertEquals(1, recorder.count);
        return recorder;
    }

    @Test
    void requests_ofEachOperation_areThere() {
        Set<OperationType> missing = EnumSet.allOf(OperationType.class);
        missing.removeAll(types.values());
        assertTrue(missing.isEmpty(), missing::toString);
    }

    @Test
    void request_whole_isAnswered() {
        requests.forEach((name, request) -> {
            Recorder recorder = execute(request);
            assertNotNull(recorder.bytes, () -> name + ": " + recorder.failure);
            read(name, recorder.bytes);
        });
        store.audit();
    }

    @Test
    void request_cut_isRefusedAndChangesNothing() {
        requests.forEach((name, request) -> {
            for (int length = 0; length < request.length; length++) {
                Recorder recorder = execute(Arrays.copyOf(request, length));
                assertNotNull(recorder.failure, name + " cut to " + length);
            }
            Recorder longer = execute(Arrays.copyOf(request, request.length + 1));
            assertNotNull(longer.failure, name + " and a byte more");
        });
        assertEquals(8, store.size(cid));
        assertEquals(1, store.size(near));
        store.audit();
    }

    @Test
    void request_flipped_isRefusedOrAnotherRequest() {
        requests.forEach((name, request) -> {
            for (int bit = 0; bit < request.length * 8; bit++) {
                byte[] flipped = request.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                execute(flipped);
            }
        });
        store.audit();
    }

    @Test
    void request_withTheFlagOfAReadAtOwner_isARead() {
        Set<OperationType> reads = EnumSet.of(OperationType.GET, OperationType.SIZE, OperationType.GET_BYTES,
            OperationType.GET_FIELD, OperationType.BATCH_GET, OperationType.BATCH_SIZE, OperationType.BATCH_GET_LONG,
            OperationType.MAP_GET, OperationType.MAP_SIZE, OperationType.MAP_PAGE, OperationType.MAPS_GET,
            OperationType.MAPS_SIZE, OperationType.MAPS_PAGE, OperationType.CIDS, OperationType.CIDS_WHERE,
            OperationType.COLLECTION_READ);
        requests.forEach((name, request) -> {
            byte[] flagged = request.clone();
            OperationFormat.addFlag(MemorySegment.ofArray(flagged), OperationFormat.AT_OWNER);
            assertEquals(reads.contains(types.get(name)), execute(flagged).failure == null, name);
        });
        store.audit();
    }

    // ---- answers ----

    private void read(String name, byte[] answer) {
        OperationType type = types.get(name);
        if (type.isBatch()) {
            BatchAnswer batch = BatchAnswer.read(answer, OperationFormat.length(MemorySegment.ofArray(
                requests.get(name)), 0), type);
            batch.rows();
            batch.refusal();
            for (int section = 0, entry = 0; section < batch.sections(); section++) {
                for (int i = 0; i < batch.count(section); i++, entry++) {
                    batch.result(entry);
                }
            }
        } else {
            OperationAnswer single = OperationAnswer.read(answer, type, type == OperationType.GET_BYTES ? 2 : 64);
            single.row();
            single.refusal();
        }
    }

    private List<String> answered() {
        return new ArrayList<>(requests.keySet());
    }

    @Test
    void answer_cut_isRefused() {
        for (String name : answered()) {
            byte[] answer = execute(requests.get(name)).bytes;
            assertNotNull(answer);
            for (int length = 0; length < answer.length; length++) {
                byte[] cut = Arrays.copyOf(answer, length);
                assertThrows(MalformedException.class, () -> read(name, cut), name + " cut to " + length);
            }
        }
    }

    @Test
    void answer_flipped_isRefusedOrAnotherAnswer() {
        for (String name : answered()) {
            byte[] answer = execute(requests.get(name)).bytes;
            assertNotNull(answer);
            for (int bit = 0; bit < answer.length * 8; bit++) {
                byte[] flipped = answer.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                try {
                    read(name, flipped);
                } catch (MalformedException e) {
                    assertNotNull(e.getMessage());
                }
            }
        }
    }

    // ---- contents of answers ----

    @Test
    void batch_ofTwoZones_hasASectionForEach() {
        BatchAnswer answer = BatchAnswer.read(execute(requests.get("batch get")).bytes, 3, OperationType.BATCH_GET);
        assertEquals(2, answer.sections());
        assertEquals(OperationFormat.DONE, answer.code(0));
        assertEquals(OperationFormat.NOT_HERE, answer.code(1));
        assertEquals(8, answer.result(0));
        assertEquals(OperationFormat.NOT_DONE, answer.result(2));
        assertEquals(ELSEWHERE, answer.rows().getFirst().zone());
        assertEquals(9, answer.bytes()[answer.firstContent() + 8]);
    }

    @Test
    void chunkThatIsTooLongForAShortAnswer_isAskedForAgain() {
        long longer = store.create(OperationFormat.SHORT_BYTES_MAX);
        RequestBytes bytes = RequestBytes.own().begin(OperationType.GET, WriteLevel.BACKED, 0, 0, 1 << 20, longer);
        OperationAnswer answer = OperationAnswer.read(execute(Arrays.copyOf(bytes.bytes(), bytes.length())).bytes,
            OperationType.GET, 1 << 20);
        assertEquals(OperationFormat.TOO_LONG, answer.code());
        bytes.begin(OperationType.GET, WriteLevel.BACKED, 0, 0, 100, longer);
        answer = OperationAnswer.read(execute(Arrays.copyOf(bytes.bytes(), bytes.length())).bytes, OperationType.GET,
            100);
        assertEquals(Status.TOO_SMALL, answer.result());
        assertNotEquals(OperationFormat.TOO_LONG, answer.code());
    }
}
