package io.teff.cluster.operation;

import io.teff.cluster.WriteLevel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Supplier;

/** The bytes of a request, in memory of the calling thread. The next request of the thread uses the same memory. */
public final class RequestBytes {
    private static final int BYTES_MIN = 256;
    /** Longer arrays are not kept. */
    private static final int KEPT_BYTES_MAX = 1 << 21;

    private static final ThreadLocal<RequestBytes> OWN =
        ThreadLocal.withInitial((Supplier<RequestBytes>) RequestBytes::new);

    private byte[] bytes = new byte[BYTES_MIN];
    private MemorySegment memory = MemorySegment.ofArray(bytes);
    private int length;
    /** Tickets of the next request that is begun. */
    private int tickets;
    /** Token of the next request that is begun, or 0. */
    private long token;

    private RequestBytes() {}

    /** {@return the memory of the calling thread, to be filled by one request} */
    public static RequestBytes own() {
        final RequestBytes own = OWN.get();
        if (own.bytes.length > KEPT_BYTES_MAX) {
            own.bytes = new byte[BYTES_MIN];
            own.memory = MemorySegment.ofArray(own.bytes);
        }
        return own;
    }

    /** {@return the memory of the calling thread, for a request with one ticket if it is a change} */
    public static RequestBytes once() {
        return own().tickets(1);
    }

    /** {@return the array with the bytes, from index 0 on} */
    byte[] bytes() {
        return bytes;
    }

    /** {@return the array as a segment} */
    MemorySegment memory() {
        return memory;
    }

    /** {@return the number of bytes} */
    public int length() {
        return length;
    }

    private int take(int count) {
        final int at = length;
        if (count > bytes.length - at) {
            bytes = Arrays.copyOf(bytes, Math.max(at + count, bytes.length * 2));
            memory = MemorySegment.ofArray(bytes);
        }
        length = at + count;
        return at;
    }

    /**
     * Has the next request that is begun leave room for tickets, if it is a change.
     *
     * @param count number of tickets; one for a single change, else one for each section
     * @return this
     */
    public RequestBytes tickets(int count) {
        tickets = count;
        return this;
    }

    /**
     * Has the next request that is begun present the token of a lock.
     *
     * @param held the token, or 0 for none
     * @return this
     */
    public RequestBytes token(long held) {
        token = held;
        return this;
    }

    /** Marks a request that has begun: the caller does not ask again if a lock refuses it. */
    public void givesUp() {
        OperationFormat.addFlag(memory, OperationFormat.GIVES_UP);
    }

    /**
     * Writes a ticket of a change that has begun with room for tickets.
     *
     * @param session session of the client
     * @param index index of the ticket
     * @param ticket names the change in the session
     */
    public void putTicket(int session, int index, long ticket) {
        memory.set(OperationFormat.INT, OperationFormat.HEAD_BYTES, session);
        memory.set(OperationFormat.LONG, OperationFormat.HEAD_BYTES + OperationFormat.TICKETS_BYTES
            + (long) index * Long.BYTES, ticket);
    }

    /**
     * Begins a request.
     *
     * @param type the operation
     * @param level the level of a change, or of a read of chunks; of no meaning for others
     * @param flags flags of the operation
     * @param width bytes of a field, or 0
     * @param count length of the content, the longest content of the answer, or the number of entries
     * @param cid the chunk, or the argument of a batch
     * @return this
     */
    public RequestBytes begin(OperationType type, WriteLevel level, int flags, int width, int count, long cid) {
        length = 0;
        take(OperationFormat.HEAD_BYTES);
        final int atOwner = level == WriteLevel.OWNER && type.isReadOfChunks() ? OperationFormat.AT_OWNER : 0;
        OperationFormat.putHead(memory, type, type.isChange() ? level.ordinal() : 0,
            flags | atOwner | (token == 0 ? 0 : OperationFormat.TOKEN), width, count, cid);
        if (type.isChange()) {
            putInt(0).putInt(tickets);
            Arrays.fill(bytes, length, take(tickets * Long.BYTES) + tickets * Long.BYTES, (byte) 0);
        }
        if (token != 0) {
            putLong(token);
        }
        tickets = 0;
        token = 0;
        return this;
    }

    /**
     * Appends 64 bits.
     *
     * @param value the bits
     * @return this
     */
    public RequestBytes putLong(long value) {
        final int at = take(Long.BYTES);
        memory.set(OperationFormat.LONG, at, value);
        return this;
    }

    /**
     * Appends 32 bits.
     *
     * @param value the bits
     * @return this
     */
    public RequestBytes putInt(int value) {
        final int at = take(Integer.BYTES);
        memory.set(OperationFormat.INT, at, value);
        return this;
    }

    /**
     * Appends bytes.
     *
     * @param source has them
     * @param from the first
     * @param count number of bytes
     * @return this
     */
    public RequestBytes putBytes(byte[] source, int from, int count) {
        final int at = take(count);
        System.arraycopy(source, from, bytes, at, count);
        return this;
    }

    /**
     * Appends bytes of a segment.
     *
     * @param source has them
     * @param from the first
     * @param count number of bytes
     * @return this
     */
    public RequestBytes putBytes(MemorySegment source, long from, int count) {
        final int at = take(count);
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, bytes, at, count);
        return this;
    }
}
