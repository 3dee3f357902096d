package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.FunctionEntry;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.FunctionCall;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.slot.SlotLayout;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.error.Status;
import io.teff.engine.raw.RawFunction;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes that are sent again to the owner, to the next one, and to one whose backups are new. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangesOnceTest {
    private static final int PEERS = 4;
    private static final ClusterFunction APPEND = new ClusterFunction() {
        @Override
        public String name() {
            return "append/1";
        }

        @Override
        public void call(FunctionEntry entry) {
            byte[] before = Objects.requireNonNull(entry.value());
            byte[] after = Arrays.copyOf(before, before.length + entry.argument().length);
            System.arraycopy(entry.argument(), 0, after, before.length, entry.argument().length);
            entry.put(after);
            entry.result(before);
        }
    };

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private int zone;
    private int session;
    private long sequence;

    @BeforeEach
    void start() throws IOException {
        cluster = new PeerCluster("once-test-" + System.nanoTime(), folder, 2);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(PEERS * 6);
        zone = cluster.rows().getFirst().zone();
        session = open(1);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private int open(long key) {
        return ((CommandReply.SessionOpened) cluster.reply(new Command.ClientOpen(key))).session();
    }

    private byte[] change(OperationType type, int width, int length, long cid, long... values) {
        return change(Ticket.of(++sequence, 3), type, width, length, cid, values);
    }

    private byte[] change(long ticket, OperationType type, int width, int length, long cid, long... values) {
        return OperationCalls.change(type, WriteLevel.BACKED, width, length, cid, session, ticket, values);
    }

    private static byte[] sent(Peer peer, byte[] request) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        OperationCalls.execute(peer.host(), request, answer::complete);
        return PeerCluster.get(answer);
    }

    /** Sends a request to the owner until it is not busy any more. */
    private byte[] send(byte[] request) {
        byte[] answer = sent(cluster.owner(zone), request);
        while (answer[0] == OperationFormat.BUSY || answer[0] == OperationFormat.NOT_HERE) {
            answer = sent(cluster.owner(zone), request);
        }
        return answer;
    }

    /** Sends a long request to the owner until it is not busy any more. */
    private byte[] sendLong(byte[] request) {
        while (true) {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            OperationCalls.executeLong(cluster.owner(zone).host(), request, answer::complete);
            byte[] bytes = PeerCluster.get(answer);
            if (bytes[0] != OperationFormat.BUSY && bytes[0] != OperationFormat.NOT_HERE) {
                return bytes;
            }
        }
    }

    private static long result(byte[] answer) {
        assertEquals(OperationFormat.DONE, answer[0]);
        return ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN).getLong(8);
    }

    private long longAt(long cid) {
        byte[] content = cluster.read(cid);
        return content == null ? -1 : ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    private void failOver() throws IOException {
        Peer owner = cluster.owner(zone);
        cluster.killAttested(cluster.numberOf(owner));
        cluster.owner(zone);
    }

    @Test
    void changes_thatAreSentAgain_haveTheirFirstResult_alsoAtTheNextOwner() throws IOException {
        long place = Cid.of(zone, 0);
        long counter = result(send(change(OperationType.CREATE, 0, 8, place, 40)));
        byte[] add = change(OperationType.ADD, 8, 0, counter, 0, 2);
        byte[] sum = send(add);
        assertEquals(40, result(sum));
        // Each of these has a slot of its own, so that all are the newest changes of their slots.
        List<byte[]> requests = new ArrayList<>(List.of(add));
        List<byte[]> answers = new ArrayList<>(List.of(sum));
        long removed = cluster.create(zone, new byte[5]);
        for (int slot = 4; slot < 9; slot++) {
            long ticket = Ticket.of(1, slot);
            requests.add(switch (slot) {
                case 4 -> change(ticket, OperationType.CREATE, 0, 8, place, 7);
                case 5 -> change(ticket, OperationType.COMPARE_AND_SET, 8, 0, counter, 0, 42, 43);
                case 6 -> change(ticket, OperationType.REMOVE, 0, 0, removed);
                case 7 -> change(ticket, OperationType.RESERVE, 0, 3, place);
                default -> change(ticket, OperationType.PUT_FIELD, 8, 0, counter, 0, 99);
            });
            answers.add(send(requests.getLast()));
        }
        assertEquals(1, result(answers.get(2)));
        assertEquals(5, result(answers.get(3)));
        assertEquals(99, longAt(counter));
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < requests.size(); i++) {
                assertArrayEquals(answers.get(i), send(requests.get(i)), "change " + i + " in round " + round);
            }
            assertEquals(99, longAt(counter));
            if (round < 2) {
                failOver();
            }
        }
        assertEquals(OperationFormat.EXPIRED, send(change(Ticket.of(1, 3), OperationType.CREATE, 0, 8, place, 1))[0],
            "the slot has had a later change");
    }

    @Test
    void batches_thatAreSentAgain_haveTheirFirstResults_alsoAtTheNextOwner() throws IOException {
        int count = 150;
        long place = Cid.of(zone, 0);
        byte[] creates = OperationCalls.batch(OperationType.BATCH_CREATE, 0, place, null, count, session,
            Ticket.of(1, 0));
        byte[] range = OperationCalls.batch(OperationType.BATCH_CREATE, OperationFormat.CONSECUTIVE, place, null, count,
            session, Ticket.of(1, 1));
        long[] cids = OperationCalls.results(sendBatch(creates), count, OperationType.BATCH_CREATE);
        long[] consecutive = OperationCalls.results(sendBatch(range), count, OperationType.BATCH_CREATE);
        assertEquals(consecutive[0] + count - 1, consecutive[count - 1]);
        byte[] puts = OperationCalls.batch(OperationType.BATCH_PUT, 0, 0, cids, count, session, Ticket.of(7, 2));
        byte[] removals = OperationCalls.batch(OperationType.BATCH_REMOVE, 0, 0, consecutive, count, session,
            Ticket.of(1, 3));
        assertArrayEquals(new long[count], OperationCalls.results(sendBatch(puts), count, OperationType.BATCH_PUT));
        long[] lengths = OperationCalls.results(sendBatch(removals), count, OperationType.BATCH_REMOVE);
        assertEquals(8L * count, Arrays.stream(lengths).sum());
        cluster.put(cids[70], new byte[8]);
        for (int round = 0; round < 2; round++) {
            failOver();
            assertArrayEquals(cids, OperationCalls.results(sendBatch(creates), count, OperationType.BATCH_CREATE));
            assertArrayEquals(consecutive, OperationCalls.results(sendBatch(range), count, OperationType.BATCH_CREATE));
            assertArrayEquals(new long[count], OperationCalls.results(sendBatch(puts), count, OperationType.BATCH_PUT));
            assertArrayEquals(lengths, OperationCalls.results(sendBatch(removals), count, OperationType.BATCH_REMOVE));
            assertEquals(0, longAt(cids[70]), "the batch has not come back");
            assertEquals(Ticket.of(7, 2), longAt(cids[71]));
        }
    }

    /** Sends a batch to the owner until it was done as a whole. */
    private byte[] sendBatch(byte[] request) {
        byte[] answer = sent(cluster.owner(zone), request);
        while (answer[OperationFormat.HEAD_BYTES] == OperationFormat.BUSY
            || answer[OperationFormat.HEAD_BYTES] == OperationFormat.NOT_HERE) {
            answer = sent(cluster.owner(zone), request);
        }
        return answer;
    }

    /** The value before a change comes back from each repetition, also from those at the next owners. */
    @Test
    void changesOfMaps_thatAreSentAgain_haveTheirFirstResult_alsoAtTheNextOwner() throws IOException {
        long root = result(sendLong(OperationCalls.mapOpen(zone, "orders")));
        byte[] none = new byte[0];
        byte[] first = {1, 2, 3};
        byte[] second = {4, 5, 6, 7, 8, 9, 10, 11};
        byte[] longest = new byte[SlotLayout.VALUE_BYTES_MAX];
        byte[] tooLong = new byte[SlotLayout.VALUE_BYTES_MAX + 1];
        checkWrongRequests(root);
        List<byte[]> requests = new ArrayList<>();
        for (MapMode mode : MapMode.values()) {
            byte[] key = {(byte) mode.number()};
            send(OperationCalls.mapChange(MapMode.SET, root, key, none, first, session, Ticket.of(mode.number(), 0)));
            boolean isRemoval = mode == MapMode.REMOVE || mode == MapMode.DELETE || mode == MapMode.REMOVE_IF_SAME;
            boolean isConditional = mode == MapMode.REPLACE_IF_SAME || mode == MapMode.REMOVE_IF_SAME;
            requests.add(OperationCalls.mapChange(mode, root, key, isConditional ? first : none,
                isRemoval ? none : mode == MapMode.CALL ? appendCall(second) : isFunction(mode) ? append(second)
                    : second, session, Ticket.of(1, mode.number())));
        }
        send(OperationCalls.mapChange(MapMode.SET, root, new byte[] {50}, none, longest, session, Ticket.of(50, 0)));
        send(OperationCalls.mapChange(MapMode.SET, root, new byte[] {51}, none, tooLong, session, Ticket.of(51, 0)));
        send(OperationCalls.mapChange(MapMode.SET, root, new byte[] {53}, none, none, session, Ticket.of(53, 0)));
        requests.add(OperationCalls.mapChange(MapMode.PUT, root, new byte[] {50}, none, first, session,
            Ticket.of(1, 30)));
        requests.add(OperationCalls.mapChange(MapMode.PUT, root, new byte[] {52}, none, first, session,
            Ticket.of(1, 32)));
        requests.add(OperationCalls.mapChange(MapMode.REMOVE, root, new byte[] {53}, none, none, session,
            Ticket.of(1, 33)));
        byte[] unknown = OperationCalls.mapChange(MapMode.PUT, root, new byte[] {51}, none, first, session,
            Ticket.of(1, 31));
        List<byte[]> answers = requests.stream().map(this::sendLong).toList();
        assertArrayEquals(first, content(answers.get(MapMode.PUT.number() - 1)));
        assertArrayEquals(longest, content(answers.get(MapMode.values().length)));
        assertEquals(OperationFormat.LONG_RESULT, send(unknown)[0]);
        for (int round = 0; round < 3; round++) {
            send(OperationCalls.mapChange(MapMode.SET, root, new byte[] {(byte) MapMode.PUT.number()}, none,
                new byte[] {77}, session, Ticket.of(60 + round, 0)));
            for (int i = 0; i < requests.size(); i++) {
                assertArrayEquals(answers.get(i), sendLong(requests.get(i)), "change " + i + " in round " + round);
            }
            assertEquals(OperationFormat.LONG_RESULT, sendLong(unknown)[0]);
            for (MapMode function : List.of(MapMode.APPLY, MapMode.MODIFY, MapMode.CALL)) {
                assertEquals(first.length + second.length, content(sendLong(OperationCalls.mapGet(root,
                    new byte[] {(byte) function.number()}))).length, function + " was done once");
            }
            assertArrayEquals(new byte[] {77}, content(sendLong(OperationCalls.mapGet(root,
                new byte[] {(byte) MapMode.PUT.number()}))), "no change came back over a later value");
            if (round < 2) {
                failOver();
                PeerCluster.await(() -> send(OperationCalls.mapGet(root, none))[0] == OperationFormat.DONE,
                    () -> "the new owner has not opened the map");
            }
        }
    }

    private byte[] change(CollectionMode mode, long root, long first, long second, int slot, int... content) {
        byte[] bytes = new byte[content.length];
        for (int i = 0; i < content.length; i++) {
            bytes[i] = (byte) content[i];
        }
        return OperationCalls.collectionChange(mode, root, first, second, bytes, WriteLevel.BACKED, session,
            Ticket.of(++sequence, slot));
    }

    private byte[] sortedChange(CollectionMode mode, long root, int slot, int key, byte[] function) {
        byte[] content = new byte[1 + function.length];
        content[0] = (byte) key;
        System.arraycopy(function, 0, content, 1, function.length);
        return OperationCalls.collectionChange(mode, root, 1, 0, content, WriteLevel.BACKED, session,
            Ticket.of(++sequence, slot));
    }

    /** Returns a call of a registered function that appends bytes. */
    private static byte[] appendCall(byte[] bytes) {
        OperationCalls.register(APPEND);
        return new FunctionCall(APPEND.name(), bytes).toBytes();
    }

    private long open(NamedRoot.Kind kind, String name) {
        return result(sendLong(OperationCalls.collectionOpen(zone, kind, name)));
    }

    /** An element that a poll has taken comes back from each repetition, and the next element is not taken. */
    @Test
    void changesOfQueuesListsAndSortedMaps_thatAreSentAgain_haveTheirFirstResult() throws IOException {
        long queue = open(NamedRoot.Kind.QUEUE, "jobs");
        long list = open(NamedRoot.Kind.LIST, "entries");
        long map = open(NamedRoot.Kind.SORTED_MAP, "prices");
        byte[] none = new byte[0];
        for (int i = 0; i < 6; i++) {
            send(change(CollectionMode.QUEUE_OFFER, queue, 0, 0, 1, 10 + i));
            send(change(CollectionMode.LIST_ADD, list, 0, 0, 1, 20 + i));
            send(change(CollectionMode.SORTED_SET, map, 1, 0, 1, i, 30 + i));
        }
        byte[] all = {16, 0, 0, 0, 0, 0, 0, 0, 0};              // upwards, without bounds
        List<byte[]> requests = List.of(change(CollectionMode.QUEUE_POLL, queue, 0, 0, 2),
            change(CollectionMode.QUEUE_SKIP, queue, 2, 0, 3), change(CollectionMode.QUEUE_OFFER, queue, 0, 0, 4, 16),
            change(CollectionMode.LIST_SET, list, 1, 0, 5, 99), change(CollectionMode.LIST_REMOVE, list, 0, 0, 6),
            change(CollectionMode.LIST_INSERT, list, 2, 0, 7, 77), change(CollectionMode.LIST_TRUNCATE, list, 1, 0, 8),
            change(CollectionMode.SORTED_PUT, map, 1, 0, 9, 1, 66), change(CollectionMode.SORTED_REMOVE, map, 1, 0, 10,
            2), sortedChange(CollectionMode.SORTED_APPLY, map, 12, 4, append(new byte[] {44})),
            sortedChange(CollectionMode.SORTED_MODIFY, map, 13, 4, append(new byte[] {45})),
            sortedChange(CollectionMode.SORTED_CALL, map, 14, 5, appendCall(new byte[] {46})),
            OperationCalls.collectionChange(CollectionMode.SORTED_POLL, map, 0, 0, all, WriteLevel.BACKED, session,
            Ticket.of(++sequence, 11)));
        List<byte[]> answers = requests.stream().map(this::sendLong).toList();
        assertArrayEquals(new byte[] {34, 44}, content(answers.get(9)));
        assertArrayEquals(new byte[] {10}, content(answers.getFirst()));
        assertEquals(2, result(answers.get(1)));
        assertArrayEquals(new byte[] {21}, content(answers.get(3)));
        assertArrayEquals(new byte[] {20}, content(answers.get(4)));
        assertArrayEquals(new byte[] {31}, content(answers.get(7)));
        assertArrayEquals(new byte[] {1, 0, 0, 0, 0, 30}, content(answers.getLast()));
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < requests.size(); i++) {
                assertArrayEquals(answers.get(i), sendLong(requests.get(i)), "change " + i + " in round " + round);
            }
            assertArrayEquals(new byte[] {13}, content(sendLong(OperationCalls.collectionRead(
                CollectionMode.QUEUE_PEEK, queue, 0, 0, none))));
            assertEquals(4, result(sendLong(OperationCalls.collectionRead(CollectionMode.NUMBER, queue, 0, 0, none))));
            assertEquals(5, result(sendLong(OperationCalls.collectionRead(CollectionMode.NUMBER, list, 0, 0, none))));
            assertArrayEquals(new byte[] {77}, content(sendLong(OperationCalls.collectionRead(CollectionMode.LIST_GET,
                list, 2, 0, none))));
            assertEquals(4, result(sendLong(OperationCalls.collectionRead(CollectionMode.NUMBER, map, 0, 0, none))));
            assertArrayEquals(new byte[] {66}, content(sendLong(OperationCalls.collectionRead(
                CollectionMode.SORTED_GET, map, 0, 0, new byte[] {1}))));
            assertArrayEquals(new byte[] {34, 44, 45}, content(sendLong(OperationCalls.collectionRead(
                CollectionMode.SORTED_GET, map, 0, 0, new byte[] {4}))), "each function was done once");
            assertArrayEquals(new byte[] {35, 46}, content(sendLong(OperationCalls.collectionRead(
                CollectionMode.SORTED_GET, map, 0, 0, new byte[] {5}))), "a registered function was done once");
            if (round < 2) {
                failOver();
            }
        }
        assertEquals(OperationFormat.REFUSED, send(change(CollectionMode.LIST_ADD, queue, 0, 0, 20, 1))[0]);
        assertEquals(OperationFormat.ABSENT, sendLong(change(CollectionMode.LIST_ADD, list + 1, 0, 0, 20, 1))[0]);
    }

    /** A batch that has not come back has each entry once, also the entries of functions and of records of growth. */
    @Test
    void batchesOfMaps_thatAreSentAgain_areDoneOnce_alsoAtTheNextOwner() throws IOException {
        int count = 150;
        long root = result(sendLong(OperationCalls.mapOpen(zone, "batches")));
        byte[] puts = OperationCalls.mapsChange(MapMode.SET, root, count, new byte[] {1}, session, Ticket.of(1, 0));
        byte[] more = OperationCalls.mapsChange(MapMode.MODIFY, root, count, append(new byte[] {2}), session,
            Ticket.of(1, 1));
        byte[] absent = OperationCalls.mapsChange(MapMode.PUT_IF_ABSENT, root, count + 1, new byte[] {3}, session,
            Ticket.of(1, 2));
        byte[] removals = OperationCalls.mapsChange(MapMode.DELETE, root, count / 2, new byte[0], session,
            Ticket.of(1, 3));
        List<byte[]> requests = List.of(puts, more, absent, removals);
        long[] ok = new long[count + 1];
        for (byte[] request : requests) {
            assertEquals(0, batchResults(request)[0] % Status.EXISTS);
        }
        byte[] key = {0, 0, 0, 0};
        send(OperationCalls.mapChange(MapMode.SET, root, key, new byte[0], new byte[] {77}, session, Ticket.of(1, 4)));
        for (int round = 0; round < 2; round++) {
            failOver();
            assertArrayEquals(Arrays.copyOf(ok, count), batchResults(puts));
            assertArrayEquals(Arrays.copyOf(ok, count), batchResults(more));
            assertEquals(0, batchResults(absent)[count]);
            assertArrayEquals(Arrays.copyOf(ok, count / 2), batchResults(removals));
            assertArrayEquals(new byte[] {77}, content(sendLong(OperationCalls.mapGet(root, key))));
            assertArrayEquals(new byte[] {1, 2}, content(sendLong(OperationCalls.mapGet(root,
                new byte[] {(byte) (count - 1), 0, 0, 0}))));
            assertArrayEquals(new byte[] {3}, content(sendLong(OperationCalls.mapGet(root,
                new byte[] {(byte) count, 0, 0, 0}))));
        }
    }

    private long[] batchResults(byte[] request) {
        OperationType type = OperationType.MAPS_CHANGE;
        int count = ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
        while (true) {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            OperationCalls.executeLong(cluster.owner(zone).host(), request, answer::complete);
            byte[] bytes = PeerCluster.get(answer);
            if (bytes[OperationFormat.HEAD_BYTES] == OperationFormat.DONE) {
                return OperationCalls.results(bytes, count, type);
            }
        }
    }

    private static boolean isFunction(MapMode mode) {
        return mode == MapMode.APPLY || mode == MapMode.MODIFY;
    }

    private static byte[] append(byte[] bytes) {
        return RawFunction.of(ValueChange.append(bytes), Codecs.BYTES).toBytes();
    }

    /** Requests that a client would not send change nothing, and each is answered. */
    private void checkWrongRequests(long root) {
        byte[] none = new byte[0];
        byte[] put = OperationCalls.mapChange(MapMode.PUT, root + 1, none, none, none, session, Ticket.of(1, 40));
        assertEquals(OperationFormat.ABSENT, sendLong(put)[0]);
        assertEquals(OperationFormat.ABSENT, sendLong(OperationCalls.mapGet(root + 1, none))[0]);
        assertEquals(root, result(sendLong(OperationCalls.mapOpen(zone, "orders"))));
        byte[] broken = OperationCalls.mapOpen(zone, "orders");
        broken[broken.length - 1] = 0;                          // keys of 2^24 - 1 bytes
        byte[] again = sendLong(broken);
        assertTrue(again[0] == OperationFormat.REFUSED || result(again) == root);
        assertEquals(OperationFormat.REFUSED, sendLong(OperationCalls.mapOpen(zone, ""))[0]);
        assertArrayEquals(none, content(sendLong(OperationCalls.mapChange(MapMode.PUT_IF_ABSENT, root, none, none,
            none, session, Ticket.of(2, 40)))));
        assertArrayEquals(none, content(sendLong(OperationCalls.mapGet(root, none))), "an empty key and value");
    }

    private static byte[] content(byte[] answer) {
        assertEquals(OperationFormat.DONE, answer[0]);
        return Arrays.copyOfRange(answer, OperationFormat.HEAD_BYTES, answer.length);
    }

    @Test
    void put_thatIsSentAgainAfterANewerValue_doesNotComeBack() throws IOException {
        long cid = cluster.create(zone, new byte[8]);
        byte[] put = change(OperationType.PUT, 0, 8, cid, 1);
        send(put);
        cluster.put(cid, new byte[] {2, 0, 0, 0, 0, 0, 0, 0});
        assertEquals(0, result(send(put)));
        assertEquals(2, longAt(cid));
        failOver();
        assertEquals(0, result(send(put)));
        assertEquals(2, longAt(cid));
    }

    @FullTier("two new backups; ClusterSimulationTest repeats changes after refills (Mix.REFILLS), and the first "
        + "method stays")
    @Test
    void slots_areInTheLogOfANewBackup() throws IOException {
        long counter = result(send(change(OperationType.CREATE, 0, 8, Cid.of(zone, 0), 40)));
        byte[] add = change(OperationType.ADD, 8, 0, counter, 0, 2);
        byte[] sum = send(add);
        Peer owner = cluster.owner(zone);
        List<Integer> old = cluster.rows().getFirst().backups().stream().map(backup -> backup.node().nid()).toList();
        for (Peer peer : cluster.peers()) {                     // one after the other, so that none is lost
            if (peer != owner && old.contains(peer.node().nid())) {
                int number = cluster.numberOf(peer);
                cluster.killAttested(number);
                cluster.start(number);
                PeerCluster.await(() -> cluster.rows().getFirst().backups().size() == 2
                    && cluster.rows().getFirst().learners().isEmpty(), () -> cluster.rows().getFirst().toString());
            }
        }
        failOver();
        assertArrayEquals(sum, send(add));
        assertEquals(42, longAt(counter));
    }

    @Test
    void session_thatHasEnded_isRefused_andItsSlotsAreRemoved() throws IOException {
        long counter = result(send(change(OperationType.CREATE, 0, 8, Cid.of(zone, 0), 40)));
        byte[] add = change(OperationType.ADD, 8, 0, counter, 0, 2);
        send(add);
        int next = open(2);
        assertTrue(next > session);
        assertEquals(new CommandReply.Done(), cluster.reply(new Command.ClientGone(session)));
        PeerCluster.await(() -> send(add)[0] == OperationFormat.EXPIRED, () -> "the owner does not know");
        PeerCluster.await(() -> slots() == 0, () -> slots() + " slots are left");
        failOver();
        assertEquals(OperationFormat.EXPIRED, send(add)[0]);
        assertEquals(42, longAt(counter));
        session = next;
        assertEquals(42, result(send(change(OperationType.ADD, 8, 0, counter, 0, 1))), "a session the tables have");
        session = open(3);
        assertEquals(43, result(send(change(OperationType.ADD, 8, 0, counter, 0, 1))), "one that may be too new");
        PeerCluster.await(() -> slots() == 2, () -> slots() + " slots, with some of the first session");
    }

    private int slots() {
        SlotTable slots = cluster.owner(zone).host().slots(zone);
        return slots == null ? -1 : slots.entries().size();
    }
}
