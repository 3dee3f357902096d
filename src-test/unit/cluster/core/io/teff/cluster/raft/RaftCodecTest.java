package io.teff.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.microraft.MembershipChangeMode;
import io.microraft.RaftEndpoint;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.message.RaftMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Goal: each message keeps its content and its bytes; bytes of any other form are refused, and cost nothing. */
class RaftCodecTest {
    private static final RaftModelFactory MODEL = RaftBytes.MODEL;
    private static final RaftId A = new RaftId(0, 0x1111);
    private static final RaftId B = new RaftId(1, 0x2222);
    private static final long CELL = 0x3333;

    private static List<RaftMessage> all() {
        List<RaftEndpoint> both = List.of(A, B);
        RaftGroupMembersView members = RaftBytes.members(4, both, List.of(A));
        LogEntry proposal = MODEL.createLogEntryBuilder().setIndex(8).setTerm(2).setOperation(new byte[] {5, 6})
            .build();
        LogEntry change = MODEL.createLogEntryBuilder().setIndex(9).setTerm(3).setOperation(
            MODEL.createUpdateRaftGroupMembersOpBuilder().setMembers(both).setVotingMembers(both).setEndpoint(B)
                .setMode(MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER).build()).build();
        return List.of(
            MODEL.createAppendEntriesRequestBuilder().setGroupId(CELL).setSender(A).setTerm(3).setPreviousLogIndex(7)
                .setPreviousLogTerm(2).setCommitIndex(6).setLogEntries(List.of(proposal, change))
                .setQuerySequenceNumber(10).setFlowControlSequenceNumber(11).build(),
            MODEL.createAppendEntriesSuccessResponseBuilder().setGroupId(CELL).setSender(B).setTerm(3)
                .setLastLogIndex(9).setQuerySequenceNumber(10).setFlowControlSequenceNumber(11).build(),
            MODEL.createAppendEntriesFailureResponseBuilder().setGroupId(CELL).setSender(B).setTerm(3)
                .setExpectedNextIndex(8).setQuerySequenceNumber(10).setFlowControlSequenceNumber(11).build(),
            MODEL.createInstallSnapshotRequestBuilder().setGroupId(CELL).setSender(A).setTerm(3).setSenderLeader(true)
                .setSnapshotIndex(5).setSnapshotTerm(2).setTotalSnapshotChunkCount(2)
                .setSnapshotChunk(MODEL.createSnapshotChunkBuilder().setIndex(5).setTerm(2).setSnapshotChunkIndex(1)
                    .setSnapshotChunkCount(2).setGroupMembersView(members).setOperation(new byte[] {7}).build())
                .setSnapshottedMembers(both).setGroupMembersView(members).setQuerySequenceNumber(10)
                .setFlowControlSequenceNumber(11).build(),
            MODEL.createInstallSnapshotRequestBuilder().setGroupId(CELL).setSender(A).setTerm(3).setSenderLeader(true)
                .setSnapshotIndex(5).setSnapshotTerm(2).setTotalSnapshotChunkCount(2).setSnapshotChunk(null)
                .setSnapshottedMembers(List.of(A)).setGroupMembersView(members).setQuerySequenceNumber(10)
                .setFlowControlSequenceNumber(11).build(),
            MODEL.createInstallSnapshotResponseBuilder().setGroupId(CELL).setSender(B).setTerm(3).setSnapshotIndex(5)
                .setRequestedSnapshotChunkIndex(1).setQuerySequenceNumber(10).setFlowControlSequenceNumber(11).build(),
            MODEL.createPreVoteRequestBuilder().setGroupId(CELL).setSender(A).setTerm(4).setLastLogTerm(3)
                .setLastLogIndex(9).build(),
            MODEL.createPreVoteResponseBuilder().setGroupId(CELL).setSender(B).setTerm(4).setGranted(true).build(),
            MODEL.createVoteRequestBuilder().setGroupId(CELL).setSender(A).setTerm(4).setLastLogTerm(3)
                .setLastLogIndex(9).setSticky(true).build(),
            MODEL.createVoteResponseBuilder().setGroupId(CELL).setSender(B).setTerm(4).setGranted(false).build(),
            MODEL.createTriggerLeaderElectionRequestBuilder().setGroupId(CELL).setSender(A).setTerm(4)
                .setLastLogTerm(3).setLastLogIndex(9).build());
    }

    @Test
    void message_writtenAndRead_isTheSame() {
        for (RaftMessage message : all()) {
            byte[] bytes = RaftCodec.bytes(message);
            RaftMessage read = RaftCodec.read(bytes);
            assertEquals(message.getClass(), read.getClass());
            assertEquals(message.getSender(), read.getSender());
            assertEquals(message.getGroupId(), read.getGroupId());
            assertArrayEquals(bytes, RaftCodec.bytes(read), message::toString);
        }
    }

    /** The bytes are part of the protocol: members of other builds read them. */
    @Test
    void bytes_areThoseOfTheGoldenFile() throws IOException {
        String now = all().stream().map(message -> HexFormat.of().formatHex(RaftCodec.bytes(message)))
            .collect(Collectors.joining("\n", "", "\n"));
        try (InputStream golden = RaftCodecTest.class.getResourceAsStream("golden/messages-v1.hex")) {
            assertEquals(golden == null ? "" : new String(golden.readAllBytes(), StandardCharsets.US_ASCII), now);
        }
    }

    @Test
    void otherBytes_areRefused() {
        SplittableRandom random = new SplittableRandom(5);
        List<byte[]> good = new ArrayList<>();
        all().forEach(message -> good.add(RaftCodec.bytes(message)));
        for (byte[] bytes : good) {
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThrows(RuntimeException.class, () -> RaftCodec.read(cut));
            }
            assertThrows(RuntimeException.class, () -> RaftCodec.read(Arrays.copyOf(bytes, bytes.length + 1)));
        }
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = good.get(random.nextInt(good.size())).clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            readOrRefuse(bytes);
        }
    }

    private static void readOrRefuse(byte[] bytes) {
        try {
            RaftMessage read = RaftCodec.read(bytes);
            assertArrayEquals(bytes, RaftCodec.bytes(read));
        } catch (RuntimeException e) {
            assertEquals(false, e instanceof NullPointerException, () -> HexFormat.of().formatHex(bytes));
        }
    }
}
