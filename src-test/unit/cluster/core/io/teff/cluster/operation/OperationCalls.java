package io.teff.cluster.operation;

import io.teff.cluster.WriteLevel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.LongStream;

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

    /** Returns the results of a batch in one zone whose code is DONE. */
    public static long[] results(byte[] bytes, int count, OperationType type) {
        BatchAnswer answer = BatchAnswer.read(bytes, count, type);
        if (answer.sections() != 1 || answer.code(0) != OperationFormat.DONE) {
            throw new AssertionError("code " + answer.code(0));
        }
        return LongStream.range(0, count).map(i -> answer.result((int) i)).toArray();
    }

    /** Executes a request at a peer; the answer comes now or later, or never if the request is malformed. */
    public static void execute(ZoneHost host, byte[] request, Consumer<byte[]> answered) {
        new OperationService(host).execute(MemorySegment.ofArray(request), 0, request.length, false, new Reply() {
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
