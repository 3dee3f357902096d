package io.teff.cluster.operation;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.ChangeEvent;
import io.teff.cluster.collect.CollectionName;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.net.Network;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.Output;
import io.teff.engine.error.Status;
import io.teff.engine.zone.ChunkChange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Requests and answers of operations as bytes, for simulations in other packages. */
public final class OperationCalls {
    private OperationCalls() {}

    /** Returns a request for a chunk, with 64-bit values as content or arguments. */
    public static byte[] request(OperationType type, WriteLevel level, int width, int length, long cid,
                                 long... values) {
        RequestBytes request = RequestBytes.own().begin(type, level, 0, width, length, cid);
        for (long value : values) {
            request.putLong(value);
        }
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a change of a session, with 64-bit values as content or arguments. */
    public static byte[] change(OperationType type, WriteLevel level, int width, int length, long cid, int session,
                                long ticket, long... values) {
        RequestBytes request = RequestBytes.once().begin(type, level, 0, width, length, cid);
        for (long value : values) {
            request.putLong(value);
        }
        request.putTicket(session, 0, ticket);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /**
     * Returns an operation of the holder of a lock, or of another client.
     *
     * @param token that it presents; 0 for none
     * @param session of a change, whose ticket follows
     */
    public static byte[] held(OperationType type, WriteLevel level, int width, int length, long cid, long token,
                              int session, long ticket, long... values) {
        RequestBytes request = (type.isChange() ? RequestBytes.once() : RequestBytes.own()).token(token)
            .begin(type, level, 0, width, length, cid);
        for (long value : values) {
            request.putLong(value);
        }
        if (type.isChange()) {
            request.putTicket(session, 0, ticket);
        }
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /**
     * Returns a group of changes.
     *
     * @param locked the chunk whose lock has the token; 0 without a token
     */
    public static byte[] group(WriteLevel level, List<ChunkChange> changes, long locked, long token, int session,
                               long ticket) {
        int length = 0;
        for (ChunkChange change : changes) {
            length += GroupBytes.HEAD_BYTES + length(change.expected()) + length(change.content());
        }
        RequestBytes request = RequestBytes.once().token(token)
            .begin(OperationType.GROUP, level, 0, 0, length, changes.getFirst().cid()).putLong(locked);
        changes.forEach(change -> GroupBytes.put(request, change));
        request.putTicket(session, 0, ticket);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    private static int length(byte @Nullable [] content) {
        return content == null ? 0 : content.length;
    }

    /** Returns a request as the last attempt of a caller that does not wait for locks any longer. */
    public static byte[] givingUp(byte[] request) {
        byte[] last = request.clone();
        OperationFormat.addFlag(MemorySegment.ofArray(last), OperationFormat.GIVES_UP);
        return last;
    }

    /** Returns a request with another token, if it presents one; the type and the chunk stay. */
    public static byte[] withToken(byte[] request, LongUnaryOperator token) {
        MemorySegment memory = MemorySegment.ofArray(request);
        if ((OperationFormat.flags(memory, 0) & OperationFormat.TOKEN) == 0) {
            return request;
        }
        OperationType type = OperationType.of(OperationFormat.operation(memory, 0));
        int at = OperationFormat.HEAD_BYTES + (type != null && type.isChange() ? OperationFormat.TICKETS_BYTES
            + Long.BYTES : 0);
        byte[] other = request.clone();
        MemorySegment.ofArray(other).set(OperationFormat.LONG, at, token.applyAsLong(memory.get(OperationFormat.LONG,
            at)));
        return other;
    }

    /** Returns the type of a request. */
    public static @Nullable OperationType type(byte[] request) {
        return OperationType.of(OperationFormat.operation(MemorySegment.ofArray(request), 0));
    }

    /** Returns whether a request is one for a map or another collection. */
    public static boolean isOfMap(byte[] request) {
        OperationType type = type(request);
        return type != null && (type.isOfMap() || type.isOfCollection());
    }

    /** Returns the chunk of a request for one. */
    public static long cid(byte[] request) {
        return OperationFormat.cid(MemorySegment.ofArray(request), 0);
    }

    /**
     * Returns a batch of changes of a session in one zone, with one content of 8 bytes for each entry but of removals.
     *
     * @param cids the chunks; or null for creates
     */
    public static byte[] batch(OperationType type, int flags, long argument, long[] cids, int count, int session,
                               long ticket) {
        RequestBytes request = RequestBytes.own().tickets(1).begin(type, WriteLevel.BACKED, flags, 0, count, argument);
        for (int i = 0; cids != null && i < count; i++) {
            request.putLong(cids[i]);
        }
        for (int i = 0; type != OperationType.BATCH_REMOVE && i < count; i++) {
            request.putInt(Long.BYTES);
        }
        for (int i = 0; type != OperationType.BATCH_REMOVE && i < count; i++) {
            request.putLong(ticket);
        }
        request.putTicket(session, 0, ticket);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a request to open or make a map of bytes in a zone. */
    public static byte[] mapOpen(int zone, String name) {
        Output out = Output.growing(64);
        out.putValue(MapName.CODEC, new MapName(name, "keys", "values", -1));
        RequestBytes request = RequestBytes.own().begin(OperationType.MAP_OPEN, WriteLevel.BACKED, 0, 0, out.size(),
            Cid.of(zone, 0)).putBytes(out.array(), 0, out.size());
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a change of an entry of a map by a session, at the level BACKED. */
    public static byte[] mapChange(MapMode mode, long root, byte[] key, byte[] expected, byte[] value, int session,
                                   long ticket) {
        return mapChange(mode, root, key, expected, value, WriteLevel.BACKED, session, ticket);
    }

    /** Returns a change of an entry of a map by a session. */
    public static byte[] mapChange(MapMode mode, long root, byte[] key, byte[] expected, byte[] value,
                                   WriteLevel level, int session, long ticket) {
        RequestBytes request = RequestBytes.once().begin(OperationType.MAP_CHANGE, level, 0, 0,
            key.length + expected.length + value.length, root).putLong(mode.number()).putLong(key.length)
            .putLong(expected.length).putBytes(key, 0, key.length).putBytes(expected, 0, expected.length)
            .putBytes(value, 0, value.length);
        request.putTicket(session, 0, ticket);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a batch of changes of entries of a map by a session, at the level BACKED; each key is its number. */
    public static byte[] mapsChange(MapMode mode, long root, int count, byte[] value, int session, long ticket) {
        RequestBytes request = RequestBytes.own().tickets(1).begin(OperationType.MAPS_CHANGE, WriteLevel.BACKED, 0, 0,
            count, mode.number());
        for (int i = 0; i < count; i++) {
            request.putLong(root);
        }
        for (int i = 0; i < count; i++) {
            request.putInt(OperationFormat.ENTRY_HEAD_BYTES + Integer.BYTES + value.length);
        }
        for (int i = 0; i < count; i++) {
            request.putInt(Integer.BYTES).putInt(0).putInt(i).putBytes(value, 0, value.length);
        }
        request.putTicket(session, 0, ticket);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a batch of reads of entries of a map; each key is its number. */
    public static byte[] mapsGet(long root, int count) {
        RequestBytes request = RequestBytes.own().begin(OperationType.MAPS_GET, WriteLevel.BACKED, 0, 0, count, 0);
        for (int i = 0; i < count; i++) {
            request.putLong(root);
        }
        for (int i = 0; i < count; i++) {
            request.putInt(Integer.BYTES);
        }
        for (int i = 0; i < count; i++) {
            request.putInt(i);
        }
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a question for the changes of a map behind a number. */
    public static byte[] mapsWatch(long root, long ring, long number, int places, long bytesMax) {
        RequestBytes request = RequestBytes.own().begin(OperationType.MAPS_WATCH, WriteLevel.BACKED, 0, 0, 1, 1 << 12)
            .putLong(root).putInt(ChangeEvent.QUESTION_BYTES).putLong(ring).putLong(number).putInt(places)
            .putInt(ChangeEvent.ALL).putLong(bytesMax);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a read of an entry of a map. */
    public static byte[] mapGet(long root, byte[] key) {
        RequestBytes request = RequestBytes.own().begin(OperationType.MAP_GET, WriteLevel.BACKED, 0, 0, key.length,
            root).putBytes(key, 0, key.length);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a read of the entries of a map from a place on. */
    public static byte[] mapPage(long root, long from) {
        RequestBytes request = RequestBytes.own().begin(OperationType.MAP_PAGE, WriteLevel.BACKED, 0, 0,
            OperationFormat.CONTENT_BYTES_MAX >> 4, root).putLong(from);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns the answer of an operation on a map that has found no entry. */
    public static byte[] absent() {
        return done(Status.ABSENT);
    }

    /** Returns the answer of a page without entries that is the last one. */
    public static byte[] emptyPage() {
        return done(0);
    }

    private static byte[] done(long result) {
        byte[] answer = new byte[OperationFormat.HEAD_BYTES];
        answer[0] = OperationFormat.DONE;
        MemorySegment.ofArray(answer).set(OperationFormat.LONG, Long.BYTES, result);
        return answer;
    }

    /** Returns an argument of a request that may have a ticket; the type has arguments. */
    public static long argument(byte[] request, int index) {
        MemorySegment memory = MemorySegment.ofArray(request);
        boolean isChange = OperationType.of(OperationFormat.operation(memory, 0)).isChange();
        return memory.get(OperationFormat.LONG, ticketAt() + (isChange ? Long.BYTES : -OperationFormat.TICKETS_BYTES)
            + (long) index * Long.BYTES);
    }

    private static int ticketAt() {
        return OperationFormat.HEAD_BYTES + OperationFormat.TICKETS_BYTES;
    }

    /** Returns a change with another ticket. */
    public static byte[] withTicket(byte[] request, LongUnaryOperator ticket) {
        byte[] other = request.clone();
        MemorySegment memory = MemorySegment.ofArray(other);
        memory.set(OperationFormat.LONG, ticketAt(), ticket.applyAsLong(memory.get(OperationFormat.LONG, ticketAt())));
        return other;
    }

    /** Returns a request to open or make a queue, list or sorted map of bytes in a zone. */
    public static byte[] collectionOpen(int zone, NamedRoot.Kind kind, String name) {
        Output out = Output.growing(64);
        out.putValue(CollectionName.CODEC, new CollectionName(kind, name, "bytes", kind == NamedRoot.Kind.SORTED_MAP
            ? "bytes" : "", ""));
        RequestBytes request = RequestBytes.own().begin(OperationType.COLLECTION_OPEN, WriteLevel.BACKED, 0, 0,
            out.size(), Cid.of(zone, 0)).putBytes(out.array(), 0, out.size());
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a change of a queue, list or sorted map by a session. */
    public static byte[] collectionChange(CollectionMode mode, long root, long first, long second, byte[] content,
                                          WriteLevel level, int session, long ticket) {
        RequestBytes request = RequestBytes.once().begin(OperationType.COLLECTION_CHANGE, level, 0, 0, content.length,
            root).putLong(mode.number()).putLong(first).putLong(second).putBytes(content, 0, content.length);
        request.putTicket(session, 0, ticket);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a read of a queue, list or sorted map. */
    public static byte[] collectionRead(CollectionMode mode, long root, long first, long second, byte[] content) {
        RequestBytes request = RequestBytes.own().begin(OperationType.COLLECTION_READ, WriteLevel.BACKED, 0, 0,
            content.length, root).putLong(mode.number()).putLong(first).putLong(second)
            .putBytes(content, 0, content.length);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Returns a step of the split of a part of a sorted map. */
    public static byte[] collectionMove(MoveMode mode, long root, long first, long second, byte[] content) {
        RequestBytes request = RequestBytes.own().begin(OperationType.COLLECTION_MOVE, WriteLevel.BACKED, 0, 0,
            content.length, root).putLong(mode.number()).putLong(first).putLong(second)
            .putBytes(content, 0, content.length);
        return Arrays.copyOf(request.bytes(), request.length());
    }

    /** Registers a function in this process, in place of the service loader; does nothing if it is registered. */
    public static void register(ClusterFunction function) {
        RegisteredFunctions.found().register(function);
    }

    /** Runs what other processes do meanwhile: they have the same thread here, but other memory for their answers. */
    public static void meanwhile(Runnable others) {
        Scratch scratch = Scratch.own();
        byte[] bytes = scratch.bytes().clone();
        others.run();
        scratch.ensure(bytes.length);
        System.arraycopy(bytes, 0, scratch.bytes(), 0, bytes.length);
    }

    /** Executes a long request at a peer, as {@link #execute}. */
    public static void executeLong(ZoneHost host, byte[] request, Consumer<byte[]> answered) {
        execute(host, request, true, answered);
    }

    /** Returns the results of a batch in one zone whose code is DONE. */
    public static long[] results(byte[] bytes, int count, OperationType type) {
        BatchAnswer answer = BatchAnswer.read(bytes, count, type);
        if (answer.sections() != 1 || answer.code(0) != OperationFormat.DONE) {
            throw new AssertionError("code " + answer.code(0));
        }
        return LongStream.range(0, count).map(i -> answer.result((int) i)).toArray();
    }

    /** Sends a request over a network. */
    public static CompletableFuture<byte[]> send(Network network, int nid, byte[] request, long timeoutNs) {
        return OperationMessages.request(network, nid, request, timeoutNs);
    }

    /** Executes a request at a peer; the answer comes now or later, or never if the request is malformed. */
    public static void execute(ZoneHost host, byte[] request, Consumer<byte[]> answered) {
        execute(host, request, false, answered);
    }

    /** Executes a request with memory of its own: a simulated thread may stop inside, and the next one go on. */
    private static void execute(ZoneHost host, byte[] request, boolean isLong, Consumer<byte[]> answered) {
        Scratch outer = Scratch.own();
        Scratch.OWN.remove();
        try {
            executeNow(host, request, isLong, answered);
        } finally {
            Scratch.OWN.set(outer);
        }
    }

    private static void executeNow(ZoneHost host, byte[] request, boolean isLong, Consumer<byte[]> answered) {
        new OperationService(host).execute(MemorySegment.ofArray(request), 0, request.length, isLong, new Reply() {
            @Override
            public void answer(MemorySegment memory, int length) {
                answered.accept(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            }

            @Override
            public void fail(String why) {
                throw new AssertionError(why);
            }
        });
    }
}
