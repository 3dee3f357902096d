package io.teff.cluster.operation;

import io.teff.cluster.access.Right;
import io.teff.cluster.access.SessionCaller;
import io.teff.cluster.collect.CollectionName;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.collect.ServedMaps;
import io.teff.engine.ChunkStore;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks at the owner of a zone whether a principal may do an operation. An operation on a collection names the root of
 * a partition, so the owner finds the name of the partition first: the name of the collection, and a mark. The map
 * named directory has the rows of all collections by their names; a principal with a list of names reads and changes
 * its own rows.
 */
final class OperationRights {
    private static final String DIRECTORY = "directory";
    /** Stands for all collections; a list has it only as the pattern of all names. */
    private static final String ALL = "*";
    private static final Pattern PARTITION = Pattern.compile("(.*) [0-9a-f]{1,16}/[0-9]{1,9}", Pattern.DOTALL);

    private OperationRights() {}

    /** Returns the right for an operation. Each new operation needs a case here. */
    static Right of(OperationType type) {
        return switch (type) {
            case GET, SIZE, GET_BYTES, GET_FIELD, BATCH_GET, BATCH_SIZE, BATCH_GET_LONG, CIDS, CIDS_WHERE,
                MAP_OPEN, MAP_GET, MAP_SIZE, MAP_PAGE, COLLECTION_OPEN, COLLECTION_READ, MAPS_OPEN, MAPS_GET,
                MAPS_SIZE, MAPS_PAGE, MAPS_WATCH -> Right.READ;
            case CREATE, PUT, PUT_BYTES, RESIZE, REMOVE, SEAL, PUT_FIELD, ADD, COMPARE_AND_SET, RESERVE, CREATE_AT,
                UNRESERVE, LOCK, UNLOCK, SWAP_LOCK, RENEW_LOCK, GROUP, BATCH_CREATE, BATCH_PUT, BATCH_RESIZE,
                BATCH_REMOVE, MAP_CHANGE, COLLECTION_CHANGE, COLLECTION_MOVE, MAPS_CHANGE, MAPS_DROP, MAPS_FENCE ->
                Right.WRITE;
        };
    }

    /** Checks the right for an operation, apart from the names of collections. */
    static void check(SessionCaller caller, OperationRequest request) {
        if (request.type.isOfMap() || request.type.isOfCollection()) {
            SessionCaller.require(of(request.type), "");
        } else {
            caller.requireCollection(of(request.type), null);
        }
    }

    /** Checks the collection of a single operation, at the owner of its zone. */
    static void checkName(SessionCaller caller, OperationRequest request, ChunkStore store, ServedMaps maps,
                          long nowNs) {
        if (caller.hasAllCollections()) {
            return;
        }
        final Right right = of(request.type);
        switch (request.type) {
            case MAP_OPEN -> checkOpened(caller, right, opened(MapName.CODEC, request.content()));
            case COLLECTION_OPEN -> checkOpened(caller, right, opened(CollectionName.CODEC, request.content()));
            default -> {
                final String name = maps.nameOf(store, request.cid, nowNs);
                if (name != null) {                             // else the answer is that there is no such collection
                    caller.requireCollection(right, name.equals(DIRECTORY) ? row(request) : collection(name));
                }
            }
        }
    }

    /** Checks the names of a batch that opens or drops maps. */
    static void checkNames(SessionCaller caller, OperationRequest request) {
        if (caller.hasAllCollections()
            || request.type != OperationType.MAPS_OPEN && request.type != OperationType.MAPS_DROP) {
            return;
        }
        long at = request.contentsAt();
        for (int i = 0; i < request.length; i++) {
            final int length = request.entryLength(i);
            checkOpened(caller, of(request.type), opened(MapName.CODEC,
                request.memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE)));
            at += length;
        }
    }

    /** Checks the collections of the entries of a section, at the owner of their zone. */
    static void checkRoots(SessionCaller caller, OperationRequest request, ChunkStore store, ServedMaps maps,
                           long[] roots, int from, int count, long nowNs) {
        if (caller.hasAllCollections() || request.type == OperationType.MAPS_OPEN
            || request.type == OperationType.MAPS_DROP) {
            return;
        }
        long last = 0;
        for (int i = from; i < from + count; i++) {
            final String name = roots[i] == last ? null : maps.nameOf(store, roots[i], nowNs);
            last = roots[i];
            if (name != null) {
                caller.requireCollection(of(request.type), name.equals(DIRECTORY) ? ALL : collection(name));
            }
        }
    }

    // ---- names ----

    /** Returns the collection of a partition; null for a name that is not one of a partition. */
    private static @Nullable String collection(String partition) {
        final Matcher matcher = PARTITION.matcher(partition);
        return matcher.matches() ? matcher.group(1) : null;
    }

    /** Checks a partition that is opened or dropped. Each principal may open the directory: its rows are checked. */
    private static void checkOpened(SessionCaller caller, Right right, @Nullable String partition) {
        if (right != Right.READ || !DIRECTORY.equals(partition)) {
            caller.requireCollection(right, partition == null ? null : collection(partition));
        }
    }

    /** Returns the name of a partition in a request to open or drop the partition; null for bytes that are none. */
    private static @Nullable String opened(Codec<?> codec, byte[] content) {
        try {
            return switch (codec.read(new Input(content, 0, content.length))) {
                case MapName map -> map.name();
                case CollectionName other -> other.name();
                default -> null;
            };
        } catch (MalformedException _) {
            return null;
        }
    }

    /** Returns the collection of the row of the directory that an operation reads or changes. */
    private static String row(OperationRequest request) {
        final byte[] content = request.content();
        final byte[] key = switch (request.type) {
            case MAP_GET -> content;
            case MAP_CHANGE -> Arrays.copyOf(content, (int) request.argument(1));
            default -> new byte[0];
        };
        try {
            return key.length == 0 ? ALL : new Input(key, 0, key.length).getString();
        } catch (MalformedException _) {
            return ALL;
        }
    }
}
