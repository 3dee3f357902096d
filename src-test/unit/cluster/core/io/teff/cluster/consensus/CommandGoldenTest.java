package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.consensus.ProposalCodec.Proposal;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CopyState;
import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.RebuiltTables;
import io.teff.cluster.meta.RegistryChange;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.UnbindNode;
import io.teff.cluster.meta.UnloadNode;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneSent;
import io.teff.cluster.meta.ZoneSite;
import io.teff.cluster.meta.ZoneSpread;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.meta.ZoneVacant;
import io.teff.cluster.meta.ZoneWidth;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Goal: the superpeers of a later version read the log of this one. Method: a file with the bytes of one proposal of
 * each command. A command has no description, so its number and its fields never change; that of a new command is
 * higher than all others, which its name must bring about. The rows of rebuilt metadata have a description: after a
 * change of a row its line is read, and no longer written.
 */
class CommandGoldenTest {
    private static final int NUMBER_AT = 32;
    private static final ClusterId CLUSTER = new ClusterId(11, -12, "orders");
    private static final NodeRef NODE = new NodeRef(17, 4);
    private static final ZoneRow ROW = new ZoneRow(5, 300, ZoneState.WAITING, true, null, List.of(), List.of(),
        List.of(), List.of(), 262, 1L << 32, List.of(), null, List.of(new Backup(NODE, 2, true)));
    private static final RebuiltTables TABLES = new RebuiltTables(CLUSTER, 1L << 32, 264, 81, 1 << 20, List.of(
        new NodeRow(17, 1_028, false, new UUID(1, 2), 3, "tcp:127.0.0.1:7411", Roles.PEER, 8, 0, 0, 0, 1L << 32,
            false)), List.of(ROW));

    /** The commands in the order of their numbers. */
    private static final List<Command> COMMANDS = List.of(
        new Command.AcceptLoss(5, 3, 0, 0),
        new Command.AddBackup(5, 3, List.of(NODE)),
        new Command.AddSuperpeer("tcp:127.0.0.1:7404"),
        new Command.BackupFailed(5, 3, NODE),
        new Command.Begin(3, 2),
        new Command.CannotRestore(5, 3, NODE, 2, Hindrance.DISK, 1L << 40, 1L << 33),
        new Command.ClaimZone(5, 3, NODE),
        new Command.ClientGone(6),
        new Command.ClientOpen(-7),
        new Command.DoWithout(5, 3),
        new Command.Ended(NODE),
        new Command.Fenced(5, 3, NODE, 3L << 48 | 9),
        new Command.Founded(CLUSTER),
        new Command.HandOver(5, 3, NODE),
        new Command.Hedge(5, 3),
        new Command.Join(new UUID(1, 2), -3, "tcp:127.0.0.1:7411", Roles.PEER),
        new Command.Learned(5, 3, NODE),
        new Command.NewZones(NODE, 2, 8),
        new Command.Owned(5, 3, NODE),
        new Command.RemoveSuperpeer(2),
        new Command.Returned(5, 3, NODE, 2, 3L << 48 | 9, CopyState.CUT),
        new Command.SuperpeerLife(2, 6, -5),
        new Command.SuperpeerMoved(2, -5, "tcp:127.0.0.1:7405"),
        new Command.SuperpeerStands(2, 1L << 33, SuperpeerRow.Standing.LEFT),
        new Command.Vote(2, -5, NODE),
        new Command.ZoneFull(5, 3),
        new Command.ZoneSought(5),
        new Command.ZonesRebuilt(-9, 1, 3, TABLES),
        new RegistryChange(new RegistryStep(StepCode.PUT, 1L << 40, 3 << 6 | 5, StepCode.ANY, 1, 2, "host/a",
            new byte[] {7, -8})),
        new UnbindNode(NODE),
        new UnloadNode(NODE, true),
        new ZoneSent(5, 3, NODE),
        new ZoneSite(new Command.Join(new UUID(1, 2), -3, "tcp:127.0.0.1:7411", Roles.PEER), "room-1/rack-2"),
        new ZoneSpread(5, 3, NODE, true),
        new ZoneVacant(5, 3),
        new ZoneWidth(20));
    private static final List<String> NAMES = List.of("AcceptLoss", "AddBackup", "AddSuperpeer", "BackupFailed",
        "Begin", "CannotRestore", "ClaimZone", "ClientGone", "ClientOpen", "DoWithout", "Ended", "Fenced", "Founded",
        "HandOver", "Hedge", "Join", "Learned", "NewZones", "Owned", "RemoveSuperpeer", "Returned", "SuperpeerLife",
        "SuperpeerMoved", "SuperpeerStands", "Vote", "ZoneFull", "ZoneSought", "ZonesRebuilt",
        "RegistryChange", "UnbindNode", "UnloadNode", "ZoneSent", "ZoneSite", "ZoneSpread", "ZoneVacant",
        "ZoneWidth");

    private static Proposal proposal(Command command) {
        return new Proposal(2, -11, 13, command);
    }

    private static String name(Command command) {
        return command.getClass().getSimpleName();
    }

    /** Returns the bytes of each command by its name. */
    private static Map<String, byte[]> golden() throws IOException {
        try (InputStream in = Objects.requireNonNull(CommandGoldenTest.class.getResourceAsStream(
            "golden/commands-v1.hex"))) {
            Map<String, byte[]> all = new LinkedHashMap<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" ")).forEach(line -> all.put(line[0], HexFormat.of().parseHex(line[1])));
            return all;
        }
    }

    @Test
    void commands_haveTheNumbersOfBefore() {
        Set<String> known = new HashSet<>();
        addLeaves(Command.class, known);
        assertEquals(known, new HashSet<>(NAMES), "a new command comes last, here and in the order of the names");
        assertEquals(NAMES, COMMANDS.stream().map(CommandGoldenTest::name).toList());
        for (int number = 0; number < COMMANDS.size(); number++) {
            byte[] bytes = ProposalCodec.bytes(proposal(COMMANDS.get(number)));
            assertEquals(number, bytes[NUMBER_AT], NAMES.get(number));
        }
    }

    private static void addLeaves(Class<?> type, Set<String> names) {
        if (!type.isSealed()) {
            names.add(type.getSimpleName());
            return;
        }
        for (Class<?> each : type.getPermittedSubclasses()) {
            addLeaves(each, names);
        }
    }

    @Test
    void commands_ofTheGoldenFile_areReadAndWritten() throws IOException {
        Map<String, byte[]> golden = golden();
        assertEquals(NAMES, List.copyOf(golden.keySet()));
        for (Command command : COMMANDS) {
            byte[] bytes = Objects.requireNonNull(golden.get(name(command)));
            assertEquals(new LogRecord.Known(proposal(command)), ProposalCodec.read(bytes));
            if (!(command instanceof Command.ZonesRebuilt)) {   // its line is of rows without racks
                assertArrayEquals(bytes, ProposalCodec.bytes(proposal(command)), () -> name(command) + " "
                    + HexFormat.of().formatHex(ProposalCodec.bytes(proposal(command))));
            }
        }
    }

    @Test
    void rebuiltRows_ofAnotherVersion_areReadByNames() {
        byte[] bytes = ProposalCodec.bytes(proposal(COMMANDS.get(NAMES.indexOf("ZonesRebuilt"))));
        byte[] field = "isContested".getBytes(StandardCharsets.US_ASCII);
        int at = 0;
        while (!Arrays.equals(bytes, at, at + field.length, field, 0, field.length)) {
            at++;
        }
        bytes[at + 2] = 'X';
        LogRecord.Known known = assertInstanceOf(LogRecord.Known.class, ProposalCodec.read(Records.sealed(bytes)));
        Command.ZonesRebuilt read = (Command.ZonesRebuilt) known.proposal().command();
        assertEquals(TABLES, read.tables(), "a field that this version does not know is skipped, and false");
        assertTrue(read.part() == 1 && read.parts() == 3);
    }
}
