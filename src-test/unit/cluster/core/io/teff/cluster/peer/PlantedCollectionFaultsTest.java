package io.teff.cluster.peer;

import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the whole simulation finds faults of collections and services. Method: that of {@link PlantedWholeFaultsTest},
 * in the mixes of collections and services.
 */
@Tag("heavy")
class PlantedCollectionFaultsTest {
    private static final long OTHER_SLOT = 32;

    private static void assertFound(long seed, Supplier<Plant> fault, String... reasons) {
        PlantedFaults.assertFound(seed, Mix.COLLECTIONS, RealParts.ofCollections(), fault, reasons);
    }

    /** Executes a repeated request of a kind as a new one: the result of the first execution is not its result. */
    private static Plant again(Kind kind) {
        return new Plant() {
            private final Set<Integer> seen = new HashSet<>();

            @Override
            byte[] requested(byte[] request) {
                return !kind.has(request) || seen.add(Arrays.hashCode(request)) ? request
                    : OperationCalls.withTicket(request, ticket -> ticket ^ OTHER_SLOT);
            }
        };
    }

    /** Requests of a kind. */
    @FunctionalInterface
    private interface Kind {
        boolean has(byte[] request);
    }

    private static boolean isOf(byte[] request, MapMode mode) {
        return OperationCalls.type(request) == OperationType.MAP_CHANGE
            && OperationCalls.argument(request, 0) == mode.number();
    }

    @Test
    void aResult_ofAPoll_isNotRepeated() {
        assertFound(1, () -> again(request -> OperationCalls.type(request) == OperationType.COLLECTION_CHANGE
            && OperationCalls.argument(request, 0) == CollectionMode.QUEUE_POLL.number()), "queue");
    }

    @Test
    void aSum_ofACounter_isMadeTwice() {
        assertFound(1, () -> again(request -> isOf(request, MapMode.APPLY)), "counter");
    }

    /** A client takes its own row of a map for the row of all clients. */
    @Test
    void aPartition_isOpenedAtTwoOwners() {
        assertFound(1, () -> new Plant() {
            @Override
            byte[] answered(byte[] request, byte[] answer) {
                return isOf(request, MapMode.PUT_IF_ABSENT) && answer[0] == OperationFormat.DONE
                    ? OperationCalls.absent() : answer;
            }
        }, "not linearizable");
    }

    @Test
    void aScan_missesAPartitionThatMoves() {
        assertFound(25, () -> new Plant() {
            @Override
            byte[] answered(byte[] request, byte[] answer) {
                return OperationCalls.type(request) == OperationType.MAP_PAGE
                    && answer[0] == OperationFormat.NOT_HERE ? OperationCalls.emptyPage() : answer;
            }
        }, "not linearizable");
    }

    /** The end of a copy by a change of the client is lost. */
    @Test
    void aCopy_staysBehindAChange() {
        PlantedFaults.assertFound(1, Mix.NEAR_CACHES, RealParts.ofCollections(), () -> new Plant() {
            @Override
            boolean endsCopies() {
                return false;
            }
        }, "not linearizable");
    }

    @Test
    void aCopy_outlivesTheBound() {
        PlantedFaults.assertFound(1, Mix.NEAR_CACHES, RealParts.ofCollections(), () -> new Plant() {
            @Override
            long copyNs(long its) {
                return 8 * its;
            }
        }, "not linearizable");
    }

    /** A page ends at the bound that its client knows, and the client takes this bound for the end of the map. */
    @Test
    void aScan_missesARangeThatSplits() {
        PlantedFaults.assertFound(1, Mix.RANGES, RealParts.ofCollections(), () -> new Plant() {
            @Override
            byte[] answered(byte[] request, byte[] answer) {
                return OperationCalls.type(request) == OperationType.COLLECTION_READ
                    && OperationCalls.argument(request, 0) == CollectionMode.SORTED_PAGE.number()
                    && answer[0] == OperationFormat.ELSEWHERE ? OperationCalls.emptyPage()
                    : answer;
            }
        }, "not linearizable");
    }

    /** A client counts on its session for longer than the superpeers keep it. */
    @Test
    void aHold_outlivesItsSession() {
        PlantedFaults.assertFound(6, Mix.SERVICES, () -> new Plant() {
            @Override
            long heldNs(long its) {
                return 3 * its;
            }
        }, "is held by");
    }
}
