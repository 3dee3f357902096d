package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.cluster.client.ClusterException;
import io.aeron.logbuffer.Header;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Roles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The service without a member. Method: messages of the log, as Aeron hands them on. */
class MetadataServiceTest {
    private final List<CommandReply> replies = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<IllegalStateException> failures = new ArrayList<>();
    private final MetadataService service = new MetadataService(new MachineState.Settings(1, 1),
        new MetadataService.Listener() {
            @Override
            public void applied(ProposalCodec.Proposal proposal, CommandReply reply) {
                replies.add(reply);
            }

            @Override
            public void role(boolean isLeading) {}

            @Override
            public void skipped(String text) {
                skipped.add(text);
            }

            @Override
            public void ended(IllegalStateException failure) {
                failures.add(failure);
            }
        });

    private static byte[] join(int folder) {
        return ProposalCodec.bytes(new ProposalCodec.Proposal(0, 1, folder,
            new Command.Join(new UUID(1, folder), folder, "", Roles.PEER)));
    }

    private void apply(byte[] bytes) {
        Header header = new Header(0, 16);
        header.buffer(new UnsafeBuffer(new byte[64]));
        service.onSessionMessage(null, 0, new UnsafeBuffer(bytes), 0, bytes.length, header);
    }

    @Test
    void record_thatIsNoCommand_isSkippedAndNamed() {
        apply(join(1));
        byte[] cut = join(2);
        apply(Arrays.copyOf(cut, cut.length - 3));
        apply(new byte[0]);
        apply(join(3));
        assertEquals(2, replies.size(), replies::toString);
        assertEquals(List.of(), failures);
        assertEquals(2, skipped.size(), skipped::toString);
        assertTrue(skipped.getFirst().contains((cut.length - 3) + " bytes from 54465031"), skipped::toString);
        assertTrue(skipped.getLast().endsWith("skipped since the start: 2"), skipped::toString);
        assertEquals(2, service.read(MetadataMachine::state).nodes().size());
    }

    @Test
    void manySkippedRecords_giveFewLines() {
        for (int i = 0; i < 1_000; i++) {
            apply(new byte[64]);
        }
        assertEquals(8 + 6, skipped.size(), "the first 8, then 16, 32, 64, 128, 256 and 512");
    }

    /** What follows would meet another state than at the members that have applied the command. */
    @Test
    void command_ofALaterVersion_isTheLastOne() {
        apply(join(1));
        apply(Records.ofLevel(2, join(2)));
        apply(join(3));
        assertEquals(1, replies.size(), replies::toString);
        assertEquals(1, failures.size());
        assertTrue(failures.getFirst().getMessage().contains("later version"), failures::toString);
        assertEquals(1, service.read(MetadataMachine::state).nodes().size());
        assertThrows(ClusterException.class, () -> service.onTakeSnapshot(null));
    }
}
