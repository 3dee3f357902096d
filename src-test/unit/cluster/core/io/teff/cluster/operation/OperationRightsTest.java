package io.teff.cluster.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.access.Right;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each operation with its right. */
final class OperationRightsTest {
    /** Operations that change something beside chunks and the contents of collections. */
    private static final Set<OperationType> OTHER_CHANGES = EnumSet.of(OperationType.RENEW_LOCK,
        OperationType.COLLECTION_MOVE, OperationType.MAPS_DROP, OperationType.MAPS_FENCE);

    private static Map<OperationType, Right> expected() {
        final Map<OperationType, Right> expected = new EnumMap<>(OperationType.class);
        Stream.of("GET", "SIZE", "GET_BYTES", "GET_FIELD", "BATCH_GET", "BATCH_SIZE", "BATCH_GET_LONG", "CIDS",
            "CIDS_WHERE", "MAP_OPEN", "MAP_GET", "MAP_SIZE", "MAP_PAGE", "COLLECTION_OPEN", "COLLECTION_READ",
            "MAPS_OPEN", "MAPS_GET", "MAPS_SIZE", "MAPS_PAGE", "MAPS_WATCH").forEach(name ->
            expected.put(OperationType.valueOf(name), Right.READ));
        Stream.of("CREATE", "PUT", "PUT_BYTES", "RESIZE", "REMOVE", "SEAL", "PUT_FIELD", "ADD", "COMPARE_AND_SET",
            "RESERVE", "CREATE_AT", "UNRESERVE", "LOCK", "UNLOCK", "SWAP_LOCK", "RENEW_LOCK", "GROUP",
            "BATCH_CREATE", "BATCH_PUT", "BATCH_RESIZE", "BATCH_REMOVE", "MAP_CHANGE", "COLLECTION_CHANGE",
            "COLLECTION_MOVE", "MAPS_CHANGE", "MAPS_DROP", "MAPS_FENCE").forEach(name ->
            expected.put(OperationType.valueOf(name), Right.WRITE));
        return expected;
    }

    @Test
    void eachOperation_hasItsRight() {
        final Map<OperationType, Right> expected = expected();
        for (OperationType type : OperationType.values()) {
            assertEquals(expected.get(type), OperationRights.of(type), type + " needs an entry here");
            assertEquals(type.isChange() || OTHER_CHANGES.contains(type),
                OperationRights.of(type) == Right.WRITE, () -> type + " changes something");
        }
    }
}
