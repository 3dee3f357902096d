package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.admin.NodeRole;
import io.teff.test.kit.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The units of systemd, read by systemd itself where it is installed. */
final class SystemdUnitTest {
    private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");

    @TempDir
    private Path folder;

    private void verify(String name, String unit, String... words) throws Exception {
        assumeTrue(Files.isExecutable(ANALYZE), "systemd-analyze is not installed");
        Path file = Files.writeString(folder.resolve(name), unit);
        List<String> command = new ArrayList<>(List.of(ANALYZE.toString(), "verify", "--man=no"));
        command.addAll(List.of(words));
        command.add(file.toString());
        ChildProcess.Result result = ChildProcess.run(folder, Map.of("HOME", folder.toString(), "XDG_RUNTIME_DIR",
            folder.toString()), command);
        assertEquals("", result.errors().lines().filter(line -> line.contains(name)).toList().toString()
            .replace("[]", ""));
        assertEquals(0, result.exitCode(), result::errors);
    }

    @Test
    void unitOfAMachine_isAUnit() throws Exception {
        verify("teff-peer.service", SystemdUnit.ofMachine("root", System.getProperty("java.home"), "/opt/teff",
            "/etc/teff/node.toml", "/var/lib/teff", "512m"));
    }

    @Test
    void unitOfAUser_isAUnit() throws Exception {
        HostPlan host = new HostPlan("h", "10.0.0.1", "u@h", 22, List.of(), folder.toString(), "");
        NodePlan node = new NodePlan("peer-h", host, NodeRole.PEER, 7_410, "512m", Map.of());
        assertTrue(SystemdUnit.ofUser(node).contains("ExecStart=/bin/sh " + folder + "/nodes/peer-h/node.sh"));
        verify("teff-1-peer-h.service", SystemdUnit.ofUser(node), "--user");
    }

    /** A start mends no fault of the configuration; a node of a machine writes to its data only. */
    @Test
    void units_sayWhenANodeStartsAgain_andWhatANodeMayWrite() {
        HostPlan host = new HostPlan("h", "10.0.0.1", "u@h", 22, List.of(), folder.toString(), "");
        String user = SystemdUnit.ofUser(new NodePlan("peer-h", host, NodeRole.PEER, 7_410, "512m", Map.of()));
        String machine = SystemdUnit.ofMachine("teff", "/jdk", "/opt/teff", "/etc/teff/node.toml", "/var/lib/teff",
            "512m");
        for (String unit : List.of(user, machine)) {
            assertTrue(unit.lines().toList().containsAll(List.of("Restart=on-failure", "RestartPreventExitStatus=2",
                "StartLimitBurst=5", "TimeoutStopSec=30")), unit);
        }
        assertTrue(machine.lines().toList().containsAll(List.of("User=teff", "UMask=0077", "ProtectSystem=strict",
            "ReadWritePaths=/var/lib/teff")), machine);
    }

    /** The twin: systemd names what is no unit. */
    @Test
    void wrongUnit_isRefused() throws Exception {
        assumeTrue(Files.isExecutable(ANALYZE), "systemd-analyze is not installed");
        Path file = Files.writeString(folder.resolve("wrong.service"), "[Service]\nExecStart=nowhere\nRestrat=no\n");
        ChildProcess.Result result = ChildProcess.run(folder, Map.of(), List.of(ANALYZE.toString(), "verify",
            "--man=no", file.toString()));
        assertTrue(result.exitCode() != 0 || result.errors().contains("Restrat"), result::errors);
    }
}
