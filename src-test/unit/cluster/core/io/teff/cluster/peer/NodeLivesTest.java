package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Disk;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lives of a node whose logs may have lost their ends, missing lives, and folders of other nodes. */
class NodeLivesTest {
    private static final UUID FOLDER = new UUID(1, 2);
    private static final UUID FIRST_BOOT = new UUID(3, 4);
    private static final UUID SECOND_BOOT = new UUID(5, 6);

    @TempDir
    private Path path;

    /** Returns the disk of the machine after a boot. */
    private static Disk disk(@Nullable UUID boot) {
        return (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), new Class<?>[] {Disk.class},
            (_, method, arguments) -> {
                if (method.getName().equals("boot")) {
                    return boot;
                }
                try {
                    return method.invoke(Disk.SYSTEM, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    private NodeLives open(@Nullable UUID boot) throws IOException {
        return NodeLives.open(disk(boot), path, FOLDER);
    }

    @Test
    void life_thatWasKilled_hasLostNothing() throws IOException {
        open(FIRST_BOOT).begins(1);
        NodeLives next = open(FIRST_BOOT);
        assertEquals(0, next.cutIncarnation());
        next.begins(2);
        assertEquals(0, next.cutIncarnation());
    }

    @Test
    void life_ofAnEarlierBoot_mayHaveLostItsEnd_forEver() throws IOException {
        open(FIRST_BOOT).begins(1);
        open(FIRST_BOOT).begins(2);
        assertEquals(2, open(SECOND_BOOT).cutIncarnation());
        NodeLives next = open(SECOND_BOOT);
        next.begins(3);
        assertEquals(2, next.cutIncarnation());
        assertEquals(2, open(SECOND_BOOT).cutIncarnation(), "not the third");
        next.closed();
        assertEquals(2, open(FIRST_BOOT).cutIncarnation());
    }

    @Test
    void logThatWasClosed_hasLostNothing_untilTheNextLife() throws IOException {
        NodeLives first = open(FIRST_BOOT);
        first.begins(1);
        first.closed();
        assertEquals(0, open(SECOND_BOOT).cutIncarnation());
        open(SECOND_BOOT).begins(2);
        assertEquals(2, open(FIRST_BOOT).cutIncarnation());
    }

    /** What the device has refused to sync may be lost, although the machine was not started anew. */
    @Test
    void life_whoseLogHasFailed_mayHaveLostItsEnd_forEver() throws IOException {
        open(FIRST_BOOT).begins(1);
        NodeLives second = open(FIRST_BOOT);
        second.begins(2);
        second.failed();
        assertEquals(2, second.cutIncarnation());
        NodeLives next = open(FIRST_BOOT);
        assertEquals(2, next.cutIncarnation());
        next.begins(3);
        next.closed();
        assertEquals(2, open(FIRST_BOOT).cutIncarnation(), "not the third");
    }

    /** The superpeers count the lives of a folder. */
    @Test
    void lifeWithANumberOfBefore_isThatOfAnotherCluster() throws IOException {
        open(FIRST_BOOT).begins(3);
        NodeLives next = open(FIRST_BOOT);
        for (int number = 1; number <= 3; number++) {
            int incarnation = number;
            String said = assertThrows(IOException.class, () -> next.begins(incarnation)).getMessage();
            assertTrue(said.contains("number " + number + ", and it has had 3"), said);
        }
        assertEquals(2, open(FIRST_BOOT).cutIncarnation(), "nothing was noted");
        open(FIRST_BOOT).begins(4);
    }

    @Test
    void bootThatIsNotKnown_isAnotherOneEachTime() throws IOException {
        open(null).begins(4);
        assertEquals(4, open(null).cutIncarnation());
    }

    @Test
    void fileThatIsMissingDamagedOrOfAnotherFolder_allEarlierLivesMayBeCut() throws IOException {
        assertEquals(Integer.MAX_VALUE, open(FIRST_BOOT).cutIncarnation());
        NodeLives lives = open(FIRST_BOOT);
        lives.closed();
        assertEquals(Integer.MAX_VALUE, open(FIRST_BOOT).cutIncarnation(), "no life has begun");
        lives.begins(7);
        assertEquals(6, lives.cutIncarnation());
        assertEquals(6, open(FIRST_BOOT).cutIncarnation());
        assertEquals(Integer.MAX_VALUE, NodeLives.open(disk(FIRST_BOOT), path, new UUID(8, 8)).cutIncarnation());
        byte[] bytes = Files.readAllBytes(path.resolve("lives"));
        bytes[44] ^= 1;
        Files.write(path.resolve("lives"), bytes);
        assertEquals(Integer.MAX_VALUE, open(FIRST_BOOT).cutIncarnation());
    }

    @Test
    void folderThatHasLostItsLog_isThatOfAnotherNode() throws IOException {
        Path home = path.resolve("node");
        UUID id;
        try (NodeFolder folder = NodeFolder.open(Platform.SYSTEM, home, "backups")) {
            id = folder.id();
            Files.createDirectories(home.resolve("backups"));
            Files.writeString(home.resolve("backups/manifest-1"), "");
            folder.lives().begins(1);
        }
        try (NodeFolder folder = NodeFolder.open(Platform.SYSTEM, home, "backups")) {
            assertEquals(id, folder.id());
            assertEquals(0, folder.lives().cutIncarnation());
        }
        Files.delete(home.resolve("backups/manifest-1"));
        try (NodeFolder folder = NodeFolder.open(Platform.SYSTEM, home, "backups")) {
            assertNotEquals(id, folder.id());
            assertEquals(Integer.MAX_VALUE, folder.lives().cutIncarnation());
        }
    }

    @Test
    void livesThatTheSuperpeersHaveSkipped_areMissing_forEver() throws IOException {
        open(FIRST_BOOT).begins(1);
        open(FIRST_BOOT).begins(2);
        NodeLives older = open(FIRST_BOOT);
        older.begins(5);                                        // the folder was put back from a copy
        for (NodeLives each : List.of(older, open(FIRST_BOOT))) {
            assertEquals(List.of(true, true, false, false, true, true),
                IntStream.rangeClosed(1, 6).mapToObj(each::hasLived).toList());
        }
    }

    @Test
    void manyStretchesOfMissingLives_areNotForgotten() throws IOException {
        open(FIRST_BOOT).begins(1);
        for (int life = 3; life <= 15; life += 2) {
            open(FIRST_BOOT).begins(life);
        }
        NodeLives last = open(FIRST_BOOT);
        for (int life = 2; life <= 14; life += 2) {
            assertFalse(last.hasLived(life), "life " + life);
        }
        assertTrue(last.hasLived(1) && last.hasLived(15) && last.hasLived(13) && last.hasLived(11));
    }
}
