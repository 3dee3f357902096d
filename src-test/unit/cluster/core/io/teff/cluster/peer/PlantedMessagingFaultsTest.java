package io.teff.cluster.peer;

import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the simulation of a cluster with real networks finds faults of messaging. Method: as in {@link
 * PlantedClusterFaultsTest}, in the histories of {@link MessagingSimulationTest}.
 */
@Tag("heavy")
class PlantedMessagingFaultsTest {
    @Test
    void aMessage_isHandledAgainWhenItsLinkIsMadeAgain() {
        PlantedFaults.assertFoundWithNetworks(1, Mix.DRAWN, () -> new Plant() {
            private final Map<List<Integer>, Runnable> last = new HashMap<>();

            @Override
            void handle(SimPeer at, int from, Runnable handling) {
                last.put(List.of(at.place, from), handling);
                handling.run();
            }

            @Override
            void linked(SimPeer at, int nid) {
                last.getOrDefault(List.of(at.place, nid), () -> { }).run();
            }
        }, "twice");
    }

    @Test
    void anAnswer_isGivenToAnotherRequest() {
        PlantedFaults.assertFoundWithNetworks(1, Mix.DRAWN, () -> new Plant() {
            private byte[] earlier = {};
            private int reads;

            @Override
            byte[] given(byte[] request, byte[] answer) {
                if (OperationCalls.type(request) != OperationType.GET) {
                    return answer;
                }
                byte[] other = ++reads % 40 == 0 ? earlier : answer;
                earlier = answer;
                return other;
            }
        }, "not linearizable");
    }

    @Test
    void anAcknowledgement_countsAsThatOfAnotherBackup() {
        PlantedFaults.assertFoundWithNetworks(2, Mix.REFILLS, () -> new Plant() {
            private final Map<Integer, Integer> last = new HashMap<>();

            @Override
            int sender(SimPeer at, int from, boolean isRun) {
                Integer before = isRun ? Integer.valueOf(from) : last.put(at.place, from);
                return before == null ? from : before;
            }
        }, "not linearizable", "has {", "not in order", "gets");
    }
}
