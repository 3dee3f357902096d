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
 * Goal: superpeers take snapshots and delete the log in front of them; their folders have a bound, and whoever is
 * killed has the whole metadata afterwards, also one that was away while the others deleted what it lacks.
 *
 * <p>Method: a cluster of processes whose superpeers take a snapshot after 200 commands, and commands of some 2 KB.
 */
@Tag("processes")
@LongTier("two minutes; RestartedLogTest and LogBoundTest have its steps in one process")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class SuperpeerSnapshotTest {
    private static final int PEERS = 3;
    private static final int BATCH = 100;
    private static final long FILL_NS = TimeUnit.MINUTES.toNanos(5);
    /** Three segments of the log, two snapshots of two recordings each and one that is taken, notes, catalogue. */
    private static final long FOLDER_MAX = 12L << 20;

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
                restart(List.of(name));                         // from a snapshot: the beginning is deleted
            }
            restart(cluster.superpeers());
            String leader = cluster.awaitLeader(List.of());
            List<String> others = cluster.superpeers().stream().filter(name -> !name.equals(leader)).toList();
            String away = others.getFirst();
            cluster.kill(away);
            long last = last(away);
            fillUntil(List.of(leader, others.getLast()), last);
            cluster.startTogether(List.of(away));
            cluster.awaitTrue(away + " has copied the log", () -> first(away) > last);
            check();
            assertTrue(cluster.log(away).contains("has copied the log of superpeer"), () -> cluster.logs());
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

    private void fill(List<String> names) {
        fillUntil(names, 0);
    }

    /** Commits commands until these superpeers have deleted the log up to a position. */
    private void fillUntil(List<String> names, long position) {
        cluster.awaitLeader(List.of());
        long end = System.nanoTime() + FILL_NS;
        while (names.stream().anyMatch(name -> first(name) <= position)) {
            assertTrue(System.nanoTime() - end < 0, () -> "the beginning of the log stays: " + cluster.logs());
            for (int i = 0; i < BATCH; i++) {
                cluster.commitLong();
            }
        }
        for (String name : names) {
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

    /** Returns the first position of a superpeer's log; -1 while a copy takes its place. */
    private long first(String name) {
        return segments(name).stream().findFirst().orElse(-1L);
    }

    /** Returns the first position of the last segment. */
    private long last(String name) {
        return segments(name).getLast();
    }

    /** Returns the first positions of the segments of a superpeer's log, in their order. */
    private List<Long> segments(String name) {
        try (Stream<Path> files = Files.list(cluster.cell(name).resolve("archive"))) {
            return files.map(file -> file.getFileName().toString()).filter(file -> file.matches("0-[0-9]+[.]rec"))
                .map(file -> Long.valueOf(file.substring(2, file.length() - 4))).sorted().toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the bytes of a superpeer's log and snapshots. */
    private long bytes(String name) {
        long sum = 0;
        for (String part : List.of("archive", "consensus")) {
            try (Stream<Path> files = Files.list(cluster.cell(name).resolve(part))) {
                sum += files.mapToLong(SuperpeerSnapshotTest::size).sum();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sum;
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
