package io.teff.cluster.operation;

import org.jspecify.annotations.Nullable;

/** The operations on chunks, with their numbers in messages. */
public enum OperationType {
    /** Reads a chunk. */
    GET(1, Kind.READ, 0),
    /** Reads the length of a chunk. */
    SIZE(2, Kind.READ, 0),
    /** Reads a part of a chunk; argument: first byte. */
    GET_BYTES(3, Kind.READ, 1),
    /** Reads a value inside a chunk; argument: first byte. */
    GET_FIELD(4, Kind.READ, 1),
    /** Creates a chunk; the CID names the zone only. */
    CREATE(5, Kind.CHANGE, 0),
    /** Replaces a chunk. */
    PUT(6, Kind.CHANGE, 0),
    /** Overwrites a part of a chunk; argument: first byte. */
    PUT_BYTES(7, Kind.CHANGE, 1),
    /** Changes the length of a chunk. */
    RESIZE(8, Kind.CHANGE, 0),
    /** Removes a chunk. */
    REMOVE(9, Kind.CHANGE, 0),
    /** Makes a chunk read-only. */
    SEAL(10, Kind.CHANGE, 0),
    /** Writes a value inside a chunk; arguments: first byte, value. */
    PUT_FIELD(11, Kind.CHANGE, 2),
    /** Adds to a value inside a chunk; arguments: first byte, summand. */
    ADD(12, Kind.CHANGE, 2),
    /** Replaces a value inside a chunk if it is the expected one; arguments: first byte, expected and new value. */
    COMPARE_AND_SET(13, Kind.CHANGE, 3),
    /** Reserves consecutive CIDs without chunks; the CID names the zone only, and the result is the first one. */
    RESERVE(14, Kind.CHANGE, 0),
    /** Creates a chunk at a given CID. */
    CREATE_AT(15, Kind.CHANGE, 0),
    /** Ends the reservation of a CID. */
    UNRESERVE(16, Kind.CHANGE, 0),
    /** Takes a lock; arguments: which one, lease in nanoseconds. The result is its token. */
    LOCK(17, Kind.CHANGE, 2),
    /** Releases a lock; argument: its token. */
    UNLOCK(18, Kind.CHANGE, 1),
    /** Exchanges a lock for another one; arguments: which one, lease in nanoseconds, token of the held lock. */
    SWAP_LOCK(19, Kind.CHANGE, 3),
    /** Begins the lease of a lock anew; argument: its token. */
    RENEW_LOCK(20, Kind.READ, 1),
    /** Changes several chunks of a zone together, if conditions hold; argument: the chunk whose token it has, or 0. */
    GROUP(21, Kind.CHANGE, 1),
    /** Reads chunks. */
    BATCH_GET(32, Kind.READ_BATCH, 0),
    /** Reads the lengths of chunks. */
    BATCH_SIZE(33, Kind.READ_BATCH, 0),
    /** Reads a 64-bit value inside each of several chunks. */
    BATCH_GET_LONG(34, Kind.READ_BATCH, 0),
    /** Creates chunks in one zone. */
    BATCH_CREATE(35, Kind.CHANGE_BATCH, 0),
    /** Replaces chunks. */
    BATCH_PUT(36, Kind.CHANGE_BATCH, 0),
    /** Changes the lengths of chunks. */
    BATCH_RESIZE(37, Kind.CHANGE_BATCH, 0),
    /** Removes chunks. */
    BATCH_REMOVE(38, Kind.CHANGE_BATCH, 0),

    /** Opens or makes a map; the CID names the zone only. Has no ticket: done again, it has the same result. */
    MAP_OPEN(40, Kind.READ, 0),
    /** Reads the value of a key of a map; the CID is the root of the map, as of all that follow. */
    MAP_GET(41, Kind.READ, 0),
    /** Changes an entry of a map; arguments: {@link MapMode}, length of the key, length of the expected value. */
    MAP_CHANGE(42, Kind.CHANGE, 3),
    /** Reads a number of a map; argument: {@link OperationFormat#MAP_ENTRIES}, or another number. */
    MAP_SIZE(43, Kind.READ, 1),
    /** Reads a page of the entries of a map; argument: where the page begins. */
    MAP_PAGE(44, Kind.READ, 1),

    /** Opens or makes a queue, list or sorted map, as {@link #MAP_OPEN} does a map. */
    COLLECTION_OPEN(56, Kind.READ, 0),
    /** Reads a queue, list or sorted map; the CID is the root. Arguments: {@link CollectionMode}, two of the mode. */
    COLLECTION_READ(57, Kind.READ, 3),
    /** Changes a queue, list or sorted map; CID and arguments as of {@link #COLLECTION_READ}. */
    COLLECTION_CHANGE(58, Kind.CHANGE, 3),
    /**
     * Takes a step of the split of a part of a sorted map; the CID is the root. Arguments: {@link MoveMode}, two of the
     * mode. Done again, it has the same effect. The answer waits for the disks of the backups.
     */
    COLLECTION_MOVE(59, Kind.READ, 3),

    /** Opens or makes maps; the CIDs name zones. Done again, it has the same results. */
    MAPS_OPEN(60, Kind.READ_BATCH, 0),
    /** Reads values of keys; each CID is the root of a map, as in all that follow. */
    MAPS_GET(61, Kind.READ_BATCH, 0),
    /** Reads a number of each of several maps; argument: as of MAP_SIZE. */
    MAPS_SIZE(62, Kind.READ_BATCH, 0),
    /** Reads a page of each of several maps; argument: bytes of a page. */
    MAPS_PAGE(63, Kind.READ_BATCH, 0),
    /** Changes entries; argument: {@link MapMode}. */
    MAPS_CHANGE(64, Kind.CHANGE_BATCH, 0),
    /** Drops maps, if they exist; the CIDs name zones. Done again, it has the same effect. */
    MAPS_DROP(65, Kind.READ_BATCH, 0),
    /** Reads CIDs of chunks of a zone, which the CID names; argument: index of the first one. */
    CIDS(66, Kind.READ, 1),
    /** Reads the changes of maps behind numbers; makes maps watched. Argument: bytes of a page. */
    MAPS_WATCH(70, Kind.READ_BATCH, 0),
    /**
     * Raises the fences of collections to a token, the argument; each CID is the root of a collection, or of a
     * partition. Each result is the token of the fence. Done again, it has the same effect.
     */
    MAPS_FENCE(71, Kind.READ_BATCH, 0),
    /**
     * Reads CIDs of chunks of a zone, which the CID names, that pass a filter, the content; argument: index of the
     * first one.
     */
    CIDS_WHERE(72, Kind.READ, 1);

    private static final int NUMBER_MAX = 72;
    private static final @Nullable OperationType[] BY_NUMBER = new OperationType[NUMBER_MAX + 1];

    private enum Kind { READ, CHANGE, READ_BATCH, CHANGE_BATCH }

    static {
        for (OperationType type : values()) {
            BY_NUMBER[type.number] = type;
        }
    }

    private final int number;
    private final Kind kind;
    private final int arguments;

    OperationType(int number, Kind kind, int arguments) {
        this.number = number;
        this.kind = kind;
        this.arguments = arguments;
    }

    /** {@return the number in messages} */
    int number() {
        return number;
    }

    /** {@return the type with a number, or null} */
    static @Nullable OperationType of(int number) {
        return number < 0 || number > NUMBER_MAX ? null : BY_NUMBER[number];
    }

    /** {@return the number of 64-bit arguments} */
    int arguments() {
        return arguments;
    }

    /** {@return whether the operation changes chunks} */
    public boolean isChange() {
        return kind != Kind.READ && kind != Kind.READ_BATCH;
    }

    /** {@return whether the operation shows contents or lengths of chunks, and does nothing else} */
    boolean isReadOfChunks() {
        return !isChange() && switch (this) {
            case RENEW_LOCK, MAP_OPEN, COLLECTION_OPEN, COLLECTION_MOVE, MAPS_OPEN, MAPS_DROP, MAPS_WATCH, MAPS_FENCE ->
                false;
            default -> true;
        };
    }

    /** {@return whether the operation takes, changes or ends a lock} */
    boolean isLockChange() {
        return this == LOCK || this == UNLOCK || this == SWAP_LOCK;
    }

    /** {@return whether the operation changes a collection, and may present the token of a holder for its fence} */
    public boolean isFenced() {
        return this == MAP_CHANGE || this == MAPS_CHANGE || this == COLLECTION_CHANGE;
    }

    /** {@return whether the operation may present the token of a lock of its chunk, or of a holder} */
    boolean mayHaveToken() {
        return isFenced() || switch (this) {
            case GET, GET_BYTES, GET_FIELD, PUT, PUT_BYTES, RESIZE, REMOVE, SEAL, PUT_FIELD, ADD, COMPARE_AND_SET,
                GROUP ->
                true;
            default -> false;
        };
    }

    /** {@return whether the operation is one of a map} */
    boolean isOfMap() {
        return switch (this) {
            case MAP_OPEN, MAP_GET, MAP_CHANGE, MAP_SIZE, MAP_PAGE -> true;
            default -> isOfMaps();
        };
    }

    /** {@return whether the operation is a batch for maps} */
    public boolean isOfMaps() {
        return switch (this) {
            case MAPS_OPEN, MAPS_GET, MAPS_SIZE, MAPS_PAGE, MAPS_CHANGE, MAPS_DROP, MAPS_WATCH, MAPS_FENCE -> true;
            default -> false;
        };
    }

    /** {@return whether the operation is one of a queue, list or sorted map} */
    boolean isOfCollection() {
        return this == COLLECTION_OPEN || this == COLLECTION_READ || this == COLLECTION_CHANGE
            || this == COLLECTION_MOVE;
    }

    /** {@return whether each entry of the batch has a content in the request} */
    boolean hasContents() {
        return switch (this) {
            case BATCH_PUT, MAPS_OPEN, MAPS_GET, MAPS_PAGE, MAPS_CHANGE, MAPS_DROP, MAPS_WATCH -> true;
            default -> false;
        };
    }

    /** {@return whether the answer has a content for each entry with a result from 0} */
    boolean hasContentsInAnswer() {
        return this == BATCH_GET || this == MAPS_GET || this == MAPS_PAGE || this == MAPS_WATCH;
    }

    /** {@return whether the operation concerns many chunks} */
    public boolean isBatch() {
        return kind == Kind.READ_BATCH || kind == Kind.CHANGE_BATCH;
    }
}
