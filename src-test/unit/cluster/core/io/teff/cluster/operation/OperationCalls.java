package io.teff.cluster.operation;

import io.teff.cluster.WriteLevel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;

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
