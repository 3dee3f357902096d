package io.teff.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.cell.MisfitException;
import io.teff.cluster.cell.SuperpeerSearch;
import io.teff.cluster.log.LoggedLines;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SuperpeersAnswer;
import io.teff.cluster.message.SuperpeersRequest;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.test.kit.Threads;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a superpeer writes to its log about links that it refuses. */
final class NodeNetworkTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PATIENCE_S = 30;
    private static final int NUMBER = 2;
    private static final int PEER = 16;

    private static final String ADDRESS = "loop:node-network-test";

    private final LoggedLines lines = new LoggedLines();
    private Network superpeer;

    @BeforeEach
    void openASuperpeersNetwork() throws Exception {
        superpeer = Network.open(NetworkConfig.builder(CellMessages.nid(NUMBER)).listen(ADDRESS)
            .listener(NodeNetwork.listener(lines.log(), _ -> { })).build());
        superpeer.answer(CellMessages.SUPERPEERS, (_, _) -> new SuperpeersAnswer(SuperpeerSet.of(List.of(ADDRESS))));
    }

    @AfterEach
    void closeTheNetwork() {
        superpeer.close();
    }

    private SuperpeerSearch search(byte... secret) {
        return new SuperpeerSearch(List.of(ADDRESS), nid -> NetworkConfig.builder(nid).secret(secret), Chance.SYSTEM,
            Clock.SYSTEM);
    }

    private void awaitWarning(String why) {
        Threads.await(PATIENCE_S, () -> lines.lines().toString(), () -> lines.contains(
            "WARNING link-refused: a link with loop was refused: this node refuses the link: " + why));
    }

    @Test
    void search_thatDialsAllNumbers_leavesNoWarning() throws Exception {
        assertEquals(SuperpeerSet.of(List.of(ADDRESS)), search().all(Deadline.in(Clock.SYSTEM, LIMIT_NS)).set());
        superpeer.close();                                     // all refusals have been reported
        assertEquals(List.of(), lines.lines());
    }

    @Test
    void search_withAnotherSecret_isAWarning() {
        SuperpeerSearch search = search(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        assertThrows(MisfitException.class, () -> search.all(Deadline.in(Clock.SYSTEM, LIMIT_NS)));
        awaitWarning("they have different secrets");
    }

    /** Its addresses of the superpeers are in another order than theirs. */
    @Test
    void node_thatLooksForAnotherSuperpeer_isAWarning() throws Exception {
        try (Network peer = Network.open(NetworkConfig.builder(PEER).addresses(_ -> ADDRESS).build())) {
            assertThrows(CompletionException.class, () -> peer.request(CellMessages.nid(0), CellMessages.SUPERPEERS,
                new SuperpeersRequest(1), LIMIT_NS).join());
        }
        awaitWarning("the caller looks for another node than the one at this address");
    }
}
