package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.terminal.local.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goal: the tasks at a host do what they promise. Method: hosts that are folders, with nodes that are scripts. */
@Timeout(120)
final class HostScriptTest {
    @TempDir
    private Path place;
    private HostsHere here;

    @BeforeEach
    void make() throws Exception {
        here = new HostsHere(place, 1, "");
    }

    private static String text(Path file) throws Exception {
        return Files.readString(file);
    }

    @Test
    void version_isInstalledOnce_andNeverChanges() throws Exception {
        try (VersionStage stage = here.version("good")) {
            here.fleet().install(stage);
            Path home = here.folder(1).resolve("versions").resolve(stage.version());
            assertEquals("good", text(home.resolve("lib/good")));
            assertFalse(Files.getPosixFilePermissions(home.resolve("lib/good")).toString().contains("WRITE"));
            here.fleet().install(stage);
            assertEquals(List.of("h1 got " + stage.version(), "h1 has " + stage.version()), here.notes());
        }
    }

    @Test
    void versionThatIsDamagedOnTheWay_isNotThere() throws Exception {
        try (VersionStage stage = here.version("good")) {
            Files.writeString(stage.folder().resolve("lib/good"), "gooe");
            String message = assertThrows(CommandFailure.class, () -> here.fleet().install(stage)).getMessage();
            assertTrue(message.contains("files of version " + stage.version() + " were damaged on the way"), message);
            try (var inside = Files.list(here.folder(1).resolve("versions"))) {
                assertEquals(0, inside.count());
            }
        }
    }

    @Test
    void configuration_hasItsSecret_readByTheUserAlone() throws Exception {
        here.fleet().configure();
        Path node = here.folder(1).resolve("nodes/peer-h1");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(node.resolve(
            "secret-file"))));
        assertTrue(text(node.resolve("node.toml")).contains("secret-file = \"secret-file\""));
        assertTrue(text(node.resolve("node.toml")).contains("listen = \"10.0.0.1:7410\""));
        assertTrue(text(node.resolve("node.sh")).contains("-Xmx512m"));
    }

    @Test
    void nodes_startWithTheirVersion_end_andAreRemovedWithoutTheirData() throws Exception {
        Fleet fleet = here.fleet();
        try (VersionStage stage = here.version("good")) {
            fleet.install(stage);
            fleet.configure();
            here.notes().clear();
            FleetStart.start(fleet, here.deployment().nodes(), stage.version(), 30, here.notes()::add);
            assertEquals(List.of("superpeer-h1 is ready at 10.0.0.1:7400", "peer-h1 is ready at 10.0.0.1:7410"),
                here.notes());
            NodeState state = fleet.states().get("peer-h1");
            assertTrue(state.isRunning());
            assertEquals(stage.version(), state.version());
            assertEquals(1, state.life().incarnation());
            assertThrows(CommandFailure.class, () -> fleet.remove(false));
            FleetStart.start(fleet, here.deployment().nodes(), "another", 30, here.notes()::add);
            assertEquals(state, fleet.states().get("peer-h1"));     // a node that runs is left alone
        } finally {
            here.notes().clear();
            FleetStart.stop(fleet, here.deployment().nodes());
        }
        assertEquals(List.of("superpeer-h1 has ended", "peer-h1 has ended"), here.notes());
        assertFalse(fleet.states().get("peer-h1").isRunning());
        List<String> lines = fleet.remove(false);
        assertTrue(lines.contains("h1 kept " + here.folder(1).resolve("nodes/peer-h1")), lines::toString);
        assertTrue(Files.exists(here.folder(1).resolve("nodes/peer-h1/data/starts")));
        assertFalse(Files.exists(here.folder(1).resolve("versions")));
        assertFalse(Files.exists(here.folder(1).resolve("nodes/peer-h1/secret-file")));
        fleet.remove(true);
        assertFalse(Files.exists(here.folder(1)));
    }

    @Test
    void nodeThatCannotStart_isNamed_withItsLastWords() throws Exception {
        Fleet fleet = here.fleet();
        try (VersionStage stage = here.version("bad")) {
            fleet.install(stage);
            fleet.configure();
            String message = assertThrows(CommandFailure.class, () -> FleetStart.start(fleet, here.deployment().nodes(),
                stage.version(), 30, here.notes()::add)).getMessage();
            assertTrue(message.contains("superpeer-h1 has ended at its start\n    a planned failure"), message);
        }
    }

    /** The number of an ended process may be that of a stranger. */
    @Test
    void processOfSomethingElse_isNotEnded() throws Exception {
        here.fleet().configure();
        Process stranger = new ProcessBuilder("sleep", "120").start();
        try {
            Files.writeString(here.folder(1).resolve("nodes/peer-h1/node.pid"), stranger.pid() + "\n");
            assertFalse(here.fleet().states().get("peer-h1").isRunning());
            here.fleet().stop(List.of(here.deployment().node("peer-h1")));
            assertTrue(stranger.isAlive());
        } finally {
            stranger.destroy();
        }
    }

    /** A process that does not end must not look like an ended node: its files would be changed under it. */
    @Test
    void nodeThatDoesNotEnd_isNamed() throws Exception {
        here.fleet().configure();
        Path node = here.folder(1).resolve("nodes/peer-h1");
        Process stubborn = new ProcessBuilder("sh", "-c", "trap '' TERM; echo; while :; do sleep 1; done",
            node.resolve("node.toml").toString()).start();
        try {
            assertEquals('\n', stubborn.getInputStream().read());
            Files.writeString(node.resolve("node.pid"), stubborn.pid() + "\n");
            Host host = new Host(here.deployment().hosts().getFirst(), HostsHere.SHELL);
            String message = assertThrows(CommandFailure.class, () -> host.run("stop", "peer-h1", "1")).getMessage();
            assertTrue(message.contains("process " + stubborn.pid() + ", does not end"), message);
        } finally {
            stubborn.destroyForcibly();
        }
    }

    @Test
    void facts_ofThisMachine_haveAllFigures() {
        HostFacts facts = here.fleet().facts().get("h1");
        assertEquals(place.resolve("jdk").toString(), facts.java());
        assertTrue(facts.freeKb() > 0 && facts.syncMs() > 0 && facts.writeMb() > 0);
        assertTrue(Math.abs(facts.clockMs()) < HostFacts.CLOCK_FAULT_MS);
        assertEquals(Map.of(), facts.states());
        assertFalse(Files.exists(here.folder(1)), "a check leaves nothing");
    }
}
