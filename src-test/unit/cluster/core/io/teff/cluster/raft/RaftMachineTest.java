package io.teff.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.consensus.ProposalCodec;
import io.teff.cluster.consensus.Records;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Roles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The metadata as a state machine, without a member. Method: entries of the log, as the algorithm hands them on. */
class RaftMachineTest {
    private final List<String> told = new ArrayList<>();
    private final RaftMachine machine = new RaftMachine(new MachineState.Settings(1, 1),
        failure -> told.add(failure.getMessage()));
    private long index;

    private static byte[] join(int folder) {
        return ProposalCodec.bytes(new ProposalCodec.Proposal(0, 1, folder,
            new Command.Join(new UUID(1, folder), folder, "", Roles.PEER)));
    }

    private Object apply(byte[] bytes) {
        return machine.runOperation(++index, bytes);
    }

    private int nodes() {
        return machine.read(MetadataMachine::state).nodes().size();
    }

    @Test
    void record_thatIsNoCommand_isSkippedAndNamed() {
        assertInstanceOf(CommandReply.Joined.class, apply(join(1)));
        byte[] cut = join(2);
        assertInstanceOf(CommandReply.Refused.class, apply(Arrays.copyOf(cut, cut.length - 3)));
        apply(new byte[1]);
        apply(join(3));
        assertEquals(2, told.size(), told::toString);
        assertTrue(told.getFirst().contains("the record 2 of"), told::toString);
        assertTrue(told.getFirst().contains((cut.length - 3) + " bytes from 54465031"), told::toString);
        assertTrue(told.getLast().endsWith("skipped since the start: 2"), told::toString);
        assertEquals(2, nodes());
    }

    @Test
    void firstEntryOfALeader_changesNothing() {
        apply((byte[]) machine.getNewTermOperation());
        assertEquals(List.of(), told);
        assertEquals(0, nodes());
    }

    @Test
    void manySkippedRecords_giveFewLines() {
        for (int i = 0; i < 1_000; i++) {
            apply(new byte[64]);
        }
        assertEquals(8 + 6, told.size(), "the first 8, then 16, 32, 64, 128, 256 and 512");
    }

    /** What follows would meet another state than at the members that have applied the command. */
    @Test
    void command_ofALaterVersion_isTheLastOne() {
        apply(join(1));
        apply(Records.ofLevel(Short.MAX_VALUE, join(2)));    // later than each present version
        assertInstanceOf(CommandReply.Refused.class, apply(join(3)));
        assertEquals(1, told.size());
        assertTrue(told.getFirst().contains("later version"), told::toString);
        assertTrue(machine.hasEnded());
        assertEquals(1, nodes());
        assertThrows(IllegalStateException.class, () -> machine.takeSnapshot(index, _ -> {}));
    }

    @Test
    void snapshot_hasTheState() {
        for (int i = 0; i < 3_000; i++) {
            apply(join(i + 1));
        }
        List<Object> pieces = new ArrayList<>();
        machine.takeSnapshot(index, pieces::add);
        RaftMachine other = new RaftMachine(new MachineState.Settings(1, 1), _ -> {});
        other.installSnapshot(index, pieces);
        assertEquals(machine.read(MetadataMachine::state), other.read(MetadataMachine::state));
        assertEquals(0, machine.bytes());
    }
}
