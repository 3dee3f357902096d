package io.teff.cluster.operation;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.slot.SlotLayout;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.Cid;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.raw.RawFilter;
import io.teff.engine.zone.ChunkChange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as the owner reads it: the head is checked, and so is the number of bytes. The contents stay in the memory
 * of the message, which is valid only while the request is executed.
 */
final class OperationRequest {
    private static final WriteLevel[] LEVELS = WriteLevel.values();
    private static final int LONG_WIDTH = 8;
    private static final int INT_WIDTH = 4;

    final OperationType type;
    final WriteLevel level;
    final int flags;
    /** Bytes of a field. */
    final int width;
    /** Length of the content, or the longest one that the caller takes; or number of entries of a batch. */
    final int length;
    /** The chunk, or the argument of a batch. */
    final long cid;
    /** The session of a change, or 0. */
    final int session;
    /** Whether the caller does not ask again if a lock refuses the operation. */
    final boolean givesUp;
    /** Whether the answer of a read does not wait for backups. */
    final boolean isReadAtOwner;
    /** Token of the lock that the caller holds, or of a holder for the fence of a collection, or 0. */
    final long token;
    final MemorySegment memory;
    /** First byte behind the head, the tickets and the token. */
    final long bodyAt;
    /** The chunks of a group; empty for other operations. */
    private List<ChunkChange> changes = List.of();
    private final long ticketsAt;
    private final int tickets;

    private OperationRequest(OperationType type, WriteLevel level, MemorySegment memory, long at, int bytes) {
        this.type = type;
        this.level = level;
        this.memory = memory;
        final int allFlags = OperationFormat.flags(memory, at);
        flags = allFlags & ~(OperationFormat.TOKEN | OperationFormat.GIVES_UP | OperationFormat.AT_OWNER);
        isReadAtOwner = (allFlags & OperationFormat.AT_OWNER) != 0;
        check(!isReadAtOwner || type.isReadOfChunks(), "flags");
        width = OperationFormat.width(memory, at);
        length = OperationFormat.length(memory, at);
        cid = OperationFormat.cid(memory, at);
        final long end = at + bytes;
        final long behind = at + OperationFormat.HEAD_BYTES;
        final long behindTickets;
        ticketsAt = behind + OperationFormat.TICKETS_BYTES;
        if (type.isChange()) {
            check(ticketsAt <= end, "number of bytes");
            session = memory.get(OperationFormat.INT, behind);
            tickets = memory.get(OperationFormat.INT, behind + Integer.BYTES);
            check(session > 0 ? tickets > 0 : session == 0 && tickets == 0, "session");
            behindTickets = ticketsAt + (long) tickets * Long.BYTES;
            check(behindTickets <= end, "number of bytes");
            checkTickets();
        } else {
            session = 0;
            tickets = 0;
            behindTickets = behind;
        }
        givesUp = (allFlags & OperationFormat.GIVES_UP) != 0;
        check(!givesUp || !type.isBatch(), "flags");
        if ((allFlags & OperationFormat.TOKEN) == 0) {
            token = 0;
            bodyAt = behindTickets;
        } else {
            bodyAt = behindTickets + Long.BYTES;
            check(type.mayHaveToken() && bodyAt <= end, "flags");
            token = memory.get(OperationFormat.LONG, behindTickets);
            check(token != 0, "token");
        }
    }

    /** Returns the chunks of a group. */
    List<ChunkChange> changes() {
        return changes;
    }

    /** Returns the chunk whose lock the token names. */
    long lockedCid() {
        return type == OperationType.GROUP ? argument(0) : cid;
    }

    /** Returns whether the caller presents the token of a lock. */
    boolean hasToken() {
        return token != 0;
    }

    /** Returns whether the operation needs the slots and locks of its zone, and not only the chunks. */
    boolean needsSlots() {
        return type.isChange() || hasToken() || type == OperationType.RENEW_LOCK || type.isOfMap()
            || type.isOfCollection();
    }

    private void checkTickets() {
        for (int i = 0; i < tickets; i++) {
            check(Ticket.sequence(ticket(i)) > 0, "ticket");
        }
    }

    /** Returns the ticket of a single change, or of a section of a batch, which has a session. */
    long ticket(int index) {
        return memory.get(OperationFormat.LONG, ticketsAt + (long) index * Long.BYTES);
    }

    /**
     * Reads a request.
     *
     * @throws MalformedException if the bytes are none
     */
    static OperationRequest read(MemorySegment memory, long at, int bytes) {
        if (bytes < OperationFormat.HEAD_BYTES) {
            throw malformed("a request of " + bytes + " bytes");
        }
        final OperationType type = OperationType.of(OperationFormat.operation(memory, at));
        if (type == null) {
            throw malformed("operation " + OperationFormat.operation(memory, at));
        }
        final int level = OperationFormat.level(memory, at);
        if (level >= LEVELS.length || level != 0 && !type.isChange()) {
            throw malformed("level " + level + " of " + type);
        }
        final OperationRequest request = new OperationRequest(type, LEVELS[level], memory, at, bytes);
        if (type.isBatch()) {
            request.checkBatch(at + bytes);
        } else {
            request.checkSingle(at + bytes);
        }
        return request;
    }

    // ---- single operations ----

    private void checkSingle(long end) {
        check(tickets <= 1, "number of tickets");
        check(hasValidFlags(), "flags");
        check(hasValidWidth(), "width");
        check(hasValidLength(), "length");
        check(hasValidCid(), "CID");
        final long content = hasContent() ? length : 0;
        check(bodyAt + (long) type.arguments() * Long.BYTES + content == end, "number of bytes");
        if (type == OperationType.GROUP) {
            check(hasToken() == (argument(0) != 0), "token");
            changes = GroupBytes.read(memory, contentAt(), length, Cid.nid(cid));
        }
        check(!type.isLockChange() || session > 0, "session");
        check(type != OperationType.MAP_CHANGE || isMapChange(), "change");
        check(!type.isOfCollection() || isOfMode(), "mode");
        check(type != OperationType.CIDS && type != OperationType.CIDS_WHERE || Cid.index(argument(0)) == argument(0),
            "index");
        check(type != OperationType.MAP_SIZE || argument(0) >= 0 && argument(0) <= OperationFormat.MAP_AUDIT, "number");
        if (type == OperationType.LOCK || type == OperationType.SWAP_LOCK) {
            check((argument(0) & ~OperationFormat.WRITE_LOCK) == 0 && argument(1) >= OperationFormat.LEASE_NS_MIN
                && argument(1) <= OperationFormat.LEASE_NS_MAX, "lock");
        }
    }

    private boolean isOfMode() {
        return switch (type) {
            case COLLECTION_OPEN -> true;
            case COLLECTION_MOVE -> MoveMode.of(argument(0)) != null;
            default -> CollectionMode.isValid(argument(0), argument(1), argument(2), length, type.isChange());
        };
    }

    private boolean isMapChange() {
        final MapMode mode = MapMode.of(argument(0));
        return mode != null && mode.isSound(argument(1), argument(2), length);
    }

    private boolean hasValidFlags() {
        return flags == 0 || flags == OperationFormat.READ_ONLY && type == OperationType.CREATE
            || flags == OperationFormat.ZEROS && (type == OperationType.CREATE || type == OperationType.CREATE_AT);
    }

    /** Creates and reservations name a zone only, and index 0 is never that of a chunk. */
    private boolean hasValidCid() {
        return switch (type) {
            case CREATE, RESERVE, MAP_OPEN, COLLECTION_OPEN, CIDS, CIDS_WHERE -> Cid.lid(cid) == 0;
            case CREATE_AT -> Cid.index(cid) != 0 && !SlotLayout.isSlot(cid);
            default -> true;
        };
    }

    private boolean hasValidWidth() {
        return switch (type) {
            case GET_FIELD, PUT_FIELD -> Integer.bitCount(width) == 1 && width <= LONG_WIDTH;
            case ADD, COMPARE_AND_SET -> width == INT_WIDTH || width == LONG_WIDTH;
            default -> width == 0;
        };
    }

    private boolean hasValidLength() {
        return switch (type) {
            case GET -> length >= 0;
            case GET_BYTES, CREATE, CREATE_AT, PUT, PUT_BYTES, RESIZE ->
                length >= 0 && length <= ClusterStore.CHUNK_BYTES_MAX;
            case GROUP -> length >= 0 && length <= GroupBytes.BYTES_MAX;
            case MAP_OPEN, COLLECTION_OPEN -> length >= 0 && length <= MapName.BYTES_MAX;
            case MAP_GET -> length >= 0 && length <= OperationFormat.MAP_ENTRY_BYTES_MAX;
            case MAP_CHANGE -> length >= 0 && length <= 2 * OperationFormat.MAP_ENTRY_BYTES_MAX;
            case COLLECTION_READ, COLLECTION_CHANGE, COLLECTION_MOVE ->
                length >= 0 && length <= 2 * OperationFormat.ELEMENT_BYTES_MAX + OperationFormat.SHORT_BYTES_MAX;
            case MAP_PAGE -> length >= 0 && length <= OperationFormat.CONTENT_BYTES_MAX;
            case CIDS_WHERE -> length >= 0 && length <= RawFilter.BYTES_MAX;
            case CIDS -> length >= 1 && length <= OperationFormat.CIDS_MAX;
            case RESERVE -> length >= 1 && length <= ClusterStore.RESERVED_MAX;
            default -> length == 0;
        };
    }

    private boolean hasContent() {
        return switch (type) {
            case CREATE, CREATE_AT -> !has(OperationFormat.ZEROS);
            case PUT, PUT_BYTES, GROUP, MAP_OPEN, MAP_GET, MAP_CHANGE, COLLECTION_OPEN, COLLECTION_READ,
                COLLECTION_CHANGE, COLLECTION_MOVE, CIDS_WHERE -> true;
            default -> false;
        };
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Returns an argument of a single operation. */
    long argument(int index) {
        assert index < type.arguments() : index;
        return memory.get(OperationFormat.LONG, bodyAt + (long) index * Long.BYTES);
    }

    /** Returns a copy of a single operation's content. */
    byte[] content() {
        return memory.asSlice(contentAt(), length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns the first byte of a single operation's content. */
    long contentAt() {
        return bodyAt + (long) type.arguments() * Long.BYTES;
    }

    // ---- batches ----

    private void checkBatch(long end) {
        check(length >= 0 && length <= OperationFormat.ENTRIES_MAX, "number of entries");
        check(width == 0, "width");
        check(hasValidBatchFlags(), "flags");
        check(switch (type) {
            case BATCH_GET -> cid >= 0;
            case BATCH_GET_LONG -> true;
            case BATCH_CREATE -> Cid.lid(cid) == 0;
            case MAPS_SIZE -> cid >= 0 && cid <= OperationFormat.MAP_AUDIT;
            case MAPS_PAGE -> (cid & ~OperationFormat.KEYS_ONLY) <= OperationFormat.CONTENT_BYTES_MAX && cid >= 0;
            case MAPS_CHANGE -> hasBatchMode();
            case MAPS_FENCE -> cid > 0;
            case MAPS_WATCH -> cid >= 0 && cid <= OperationFormat.CONTENT_BYTES_MAX;
            default -> cid == 0;
        }, "argument");
        check(contentsAt() <= end, "number of bytes");
        check(session == 0 || tickets == sections(), "number of tickets");
        long contents = 0;
        for (int i = 0; i < lengths(); i++) {
            final int next = entryLength(i);
            check(next >= 0 && next <= ClusterStore.CHUNK_BYTES_MAX, "length");
            contents += next;
        }
        check(contentsAt() + (hasContents() ? contents : 0) == end, "number of bytes");
    }

    /** Returns whether the argument names a change of a map whose result is no value. */
    private boolean hasBatchMode() {
        final MapMode mode = MapMode.of(cid);
        return mode != null && mode.isOfBatch();
    }

    /** Returns the number of sections, which are runs of entries of one zone. */
    private int sections() {
        if (type == OperationType.BATCH_CREATE) {
            return Math.min(length, 1);
        }
        int sections = 0;
        int last = -1;
        for (int i = 0; i < length; i++) {
            final int zone = Cid.nid(memory.get(OperationFormat.LONG, bodyAt + (long) i * Long.BYTES));
            sections += zone == last ? 0 : 1;
            last = zone;
        }
        return sections;
    }

    private boolean hasValidBatchFlags() {
        if (type != OperationType.BATCH_CREATE) {
            return flags == 0;
        }
        return (flags & ~(OperationFormat.ZEROS | OperationFormat.UNIFORM | OperationFormat.CONSECUTIVE)) == 0
            && (!has(OperationFormat.UNIFORM) || has(OperationFormat.ZEROS));
    }

    /** Returns the number of lengths in the message. */
    private int lengths() {
        return switch (type) {
            case BATCH_CREATE -> has(OperationFormat.UNIFORM) ? 1 : length;
            case BATCH_RESIZE -> length;
            default -> type.hasContents() ? length : 0;
        };
    }

    private boolean hasContents() {
        return type.hasContents() || type == OperationType.BATCH_CREATE && !has(OperationFormat.ZEROS);
    }

    /** Copies the CIDs of a batch. */
    void copyCids(long[] to) {
        MemorySegment.copy(memory, OperationFormat.LONG, bodyAt, to, 0, length);
    }

    private long lengthsAt() {
        return bodyAt + (type == OperationType.BATCH_CREATE ? 0 : (long) length * Long.BYTES);
    }

    /** Returns the length of an entry. */
    int entryLength(int index) {
        return memory.get(OperationFormat.INT, lengthsAt() + (long) index * Integer.BYTES);
    }

    /** Returns the lengths of some entries. */
    int[] entryLengths(int from, int count) {
        final int[] lengths = new int[count];
        MemorySegment.copy(memory, OperationFormat.INT, lengthsAt() + (long) from * Integer.BYTES, lengths, 0, count);
        return lengths;
    }

    /** Returns the first byte of the contents of a batch. */
    long contentsAt() {
        return lengthsAt() + (long) lengths() * Integer.BYTES;
    }

    // ---- faults ----

    private void check(boolean isValid, String what) {
        if (!isValid) {
            throw malformed("a wrong " + what + " of " + type);
        }
    }

    static MalformedException malformed(String what) {
        return new MalformedException(0, what, (@Nullable Throwable) null);
    }
}
