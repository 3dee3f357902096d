package io.teff.cluster.superpeer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.cell.KnownSuperpeers;
import io.teff.cluster.cell.SuperpeerSearch;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SuperpeersAnswer;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that were given one of three superpeers. */
class SuperpeerSearchTest {
    private static final int SUPERPEERS = 3;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final List<String> ADDRESSES = List.of(address(1), address(2), address(3));

    private final MemoryLog log = new MemoryLog(new MachineState.Settings(SUPERPEERS, 2));
    private final List<Superpeer> superpeers = new ArrayList<>();

    private static String address(int nid) {
        return "loop:search-test-" + nid;
    }

    @BeforeEach
    void startSuperpeers() throws IOException {
        for (int i = 0; i < SUPERPEERS; i++) {
            superpeers.add(Superpeer.start(i, "", config(CellMessages.nid(i)).listen(address(i + 1)).build(),
                log.member(i == 0), LeaseTerms.DEFAULT, Platform.SYSTEM, false, network ->
                    network.answer(CellMessages.SUPERPEERS, (_, _) ->
                        new SuperpeersAnswer(SuperpeerSet.of(ADDRESSES))), NodeLog.NONE));
        }
    }

    @AfterEach
    void closeAll() {
        superpeers.forEach(Superpeer::close);
    }

    private static NetworkConfig.Builder config(int nid) {
        return NetworkConfig.builder(nid).addresses(SuperpeerSearchTest::address).handlerThreads(2);
    }

    private static List<String> search(String... known) throws IOException {
        KnownSuperpeers found = new SuperpeerSearch(List.of(known), NetworkConfig::builder, Chance.SYSTEM, Clock.SYSTEM)
            .all(Deadline.in(Clock.SYSTEM, LIMIT_NS));
        return found.named(found.set()).rows().stream().map(SuperpeerRow::address).toList();
    }

    @Test
    void search_byAnyOfThem_findsAllInTheirOrder() throws IOException {
        for (String address : ADDRESSES) {
            assertEquals(ADDRESSES, search(address));
        }
        superpeers.getLast().close();
        assertEquals(ADDRESSES, search(address(3), address(2)), "the first one gives no answer");
    }

    @Test
    void search_withAllAddresses_findsTheirOrder() throws IOException {
        assertEquals(ADDRESSES, search(address(3), address(1), address(2)));
    }

    @Test
    void search_withThreeAddresses_ofWhichOneIsRight_findsAll() throws IOException {
        assertEquals(ADDRESSES, search("loop:a", "loop:b", address(2)));
        assertEquals(ADDRESSES, search(address(3), address(3), address(3)));
        assertEquals(List.of("loop:a", "loop:b", "loop:c"), search("loop:a", "loop:b", "loop:c"), "none has answered");
    }

    /** As behind a translation of addresses: those that the superpeers know are no use to the caller. */
    @Test
    void search_withThreeAddresses_thatTheSuperpeersDoNotKnow_keepsThem() throws IOException {
        List<String> own = List.of("loop:a", "loop:b", "loop:c");
        Superpeer translated = Superpeer.start(0, "", config(CellMessages.nid(0)).listen("loop:a").build(),
            new MemoryLog(new MachineState.Settings(SUPERPEERS, 2)).member(true), LeaseTerms.DEFAULT, Platform.SYSTEM,
            false, network -> network.answer(CellMessages.SUPERPEERS, (_, _) ->
                new SuperpeersAnswer(SuperpeerSet.of(ADDRESSES))), NodeLog.NONE);
        try (translated) {
            assertEquals(own, search("loop:a", "loop:b", "loop:c"));
        }
    }

    @Test
    void client_thatWasGivenAllSuperpeersInAnotherOrder_connects() {
        try (ClusterStore store = ClusterStore.connect(ClientConfig.builder(address(3), address(1), address(2))
                .build())) {
            assertFalse(store.exists(1L << 48 | 1), "the cell has said that the zone does not exist");
        }
    }

    @Test
    void client_thatWasGivenOneSuperpeer_goesOnWhenThatOneEnds() {
        try (ClusterStore store = ClusterStore.connect(ClientConfig.builder(address(2)).build())) {
            superpeers.get(1).close();
            assertFalse(store.exists(1L << 48 | 1), "the cell has said that the zone does not exist");
        }
    }
}
