package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a store that was filled to its memory limit opens under the same limit, by several threads. Method: chunks of
 * eight creators and thus zones, of lengths that need memory of each kind, until no chunk fits, also after many were
 * removed repeatedly; then ever smaller ones until none of any length fits.
 */
@Tag("modes")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RestoreLimitTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final long LIMIT_BYTES = 16 << 20;
    private static final int CREATORS = 8;
    private static final int FIRST_CREATOR = 10;
    private static final int REFUSALS = 30;
    private static final int LAST_REFUSALS = 200;
    private static final int HALVINGS = 12;

    private final FaultDisk disk = new FaultDisk();
    private final SplittableRandom random = new SplittableRandom(6);
    private final List<Long> cids = new ArrayList<>();
    private long next;

    /** The lengths of chunks. */
    enum Lengths {
        /** Of nearly all size classes, each of which begins a page for a few chunks. */
        ALL(10, 60_000),
        SHORT(2_000, 9_000),
        /** Runs of units, and chains of records in the log. */
        LONG(100_000, 1_500_000);

        private final int least;
        private final int most;

        Lengths(int least, int most) {
            this.least = least;
            this.most = most;
        }

        private int draw(SplittableRandom random) {
            return (int) (least * Math.exp(random.nextDouble() * Math.log((double) most / least)));
        }
    }

    private DurableConfig config() {
        return DurableConfig.builder().platform(Platform.SYSTEM.withDisk(disk)).reserve(false).writeBufferBytes(8 << 20)
            .segmentBytes(2 << 20).restoreThreads(4)
            .store(StoreConfig.builder().nid(3).memoryLimitBytes(LIMIT_BYTES).build()).build();
    }

    private boolean add(Store store, int length) {
        final long cid = Cid.of(FIRST_CREATOR + (int) (next % CREATORS), 1 + next / CREATORS);
        next++;
        final boolean isMade = store.ids().createAt(cid, new byte[length]) == Status.OK;
        if (isMade) {
            cids.add(cid);
        }
        return isMade;
    }

    private void removeSome(Store store, int share) {
        for (int i = cids.size() / share; i > 0; i--) {
            final int at = random.nextInt(cids.size());
            store.remove(cids.get(at));
            cids.set(at, cids.getLast());
            cids.removeLast();
        }
    }

    private void fill(Store store, Lengths lengths, boolean hasRemovals) {
        for (int refusals = 0; refusals < (hasRemovals ? REFUSALS : 1);) {
            if (!add(store, lengths.draw(random))) {
                refusals++;
                if (hasRemovals) {
                    removeSome(store, 2 + refusals % 5);
                }
            }
        }
        for (int refusals = 0; refusals < LAST_REFUSALS;) {
            refusals += add(store, Math.max(1, lengths.draw(random) >> random.nextInt(HALVINGS))) ? 0 : 1;
        }
    }

    private static TreeMap<Long, Long> content(Store store) {
        final TreeMap<Long, Long> content = new TreeMap<>();
        final var cursor = store.ids().cursor();
        for (long cid = cursor.next(); cid != Cid.NONE; cid = cursor.next()) {
            content.put(cid, store.size(cid));
        }
        return content;
    }

    private void checkReopens(Lengths lengths, boolean hasRemovals) {
        final TreeMap<Long, Long> before;
        try (DurableStore durable = DurableStore.open(FOLDER, config())) {
            fill(durable.store(), lengths, hasRemovals);
            assertTrue(durable.store().stats().usedBytes() > LIMIT_BYTES * 7 / 8, () -> durable.stats().toString());
            before = content(durable.store());
        }
        try (DurableStore durable = DurableStore.open(FOLDER, config())) {
            assertEquals(before, content(durable.store()));
            durable.audit();
        }
        try (ReadOnlyStore read = DurableStore.openReadOnly(FOLDER, config())) {
            assertEquals(before.size(), read.store().stats().chunks());
        }
    }

    @ParameterizedTest
    @EnumSource
    void fullStore_opensUnderItsLimit(Lengths lengths) {
        checkReopens(lengths, false);
    }

    @ParameterizedTest
    @EnumSource
    void fullStoreAfterManyRemovals_opensUnderItsLimit(Lengths lengths) {
        checkReopens(lengths, true);
    }
}
