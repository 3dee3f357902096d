package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.test.kit.tier.LongTier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: superpeers take snapshots and delete the log in front of them, so their folders have a bound. A superpeer that
 * was killed has the whole metadata afterwards, also if the others have deleted the part of the log that it lacks.
 *
 * <p>Method: a cluster of processes whose superpeers take a snapshot after 200 commands, and commands of some 2 KB.
 */
@Tag("processes")
@LongTier("two minutes; RaftJournalTest and RaftSearchTest have its steps in one process")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class SuperpeerSnapshotTest {
    private static final int PEERS = 3;
    private static final int BATCH = 100;
    private static final long FILL_NS = TimeUnit.MINUTES.toNanos(5);
    /** The journal, four times its content, and a new journal. */
    private static final long FOLDER_MAX = 4L << 20;

    @TempDir
    private Path folder;
    private LocalCluster cluster;
    private Set<NodeRef> lives;
    private List<ZoneRow> rows;

    @Test
    void superpeers_withManyCommands_haveABoundedFolder_andKeepTheMetadata() throws Exception {
        try (LocalCluster started = new LocalCluster(folder.resolve("cluster"), null, 3, PEERS)) {
            cluster = started;
            cluster.awaitBacked();
            lives = cluster.lives();
            rows = cluster.rows();
            for (String name : cluster.superpeers()) {
                cluster.configure(name, "snapshot-commands = 200");
                restart(List.of(name));
            }
            fill(cluster.superpeers());
            for (String name : cluster.superpeers()) {
                restart(List.of(name));                         // from a snapshot
            }
            restart(cluster.superpeers());
            String leader = cluster.awaitLeader(List.of());
            List<String> others = cluster.superpeers().stream().filter(name -> !name.equals(leader)).toList();
            String away = others.getFirst();
            cluster.kill(away);
            fill(List.of(leader, others.getLast()));
            cluster.startTogether(List.of(away));
            check();
            restart(List.of(leader));                           // the one that was away is needed now
        }
    }

    private void restart(List<String> names) throws IOException {
        for (String name : names) {
            cluster.kill(name);
        }
        cluster.startTogether(names);
        check();
    }

    /** Commits commands until these superpeers have begun two new journals. */
    private void fill(List<String> names) {
        cluster.awaitLeader(List.of());
        long end = System.nanoTime() + FILL_NS;
        for (String name : names) {
            long until = journal(name) + 2;
            while (journal(name) < until) {
                assertTrue(System.nanoTime() - end < 0, () -> "the beginning of the log stays: " + cluster.logs());
                for (int i = 0; i < BATCH; i++) {
                    cluster.commitLong();
                }
            }
            cluster.awaitTrue("the folder of " + name + " has its bound", () -> bytes(name) <= FOLDER_MAX);
        }
    }

    /** Checks that nothing of the metadata has been lost. */
    private void check() {
        cluster.awaitLeader(List.of());
        cluster.commit();
        cluster.awaitBacked();
        assertEquals(lives, cluster.lives(), cluster::logs);
        List<ZoneRow> now = cluster.rows();
        for (ZoneRow row : rows) {
            assertTrue(now.stream().anyMatch(other -> other.zone() == row.zone() && other.epoch() >= row.epoch()),
                () -> row + " is not kept: " + now + cluster.logs());
        }
        cluster.awaitVersion(cluster.version());
    }

    /** Returns the number of a superpeer's journal, which grows with some snapshots. */
    private long journal(String name) {
        try (Stream<Path> files = Files.list(cluster.cell(name))) {
            return files.map(file -> file.getFileName().toString()).filter(file -> file.matches("journal-[0-9a-f]+"))
                .mapToLong(file -> Long.parseLong(file.substring(8), 16)).max().orElse(0);
        } catch (NoSuchFileException _) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the bytes of a superpeer's log and snapshots. */
    private long bytes(String name) {
        try (Stream<Path> files = Files.list(cluster.cell(name))) {
            return files.mapToLong(SuperpeerSnapshotTest::size).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException _) {
            return 0;                                           // deleted meanwhile
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
