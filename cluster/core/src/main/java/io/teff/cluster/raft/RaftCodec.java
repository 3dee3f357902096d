package io.teff.cluster.raft;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.LogEntry;
import io.microraft.model.message.AppendEntriesFailureResponse;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.InstallSnapshotRequest;
import io.microraft.model.message.InstallSnapshotResponse;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.TriggerLeaderElectionRequest;
import io.microraft.model.message.VoteRequest;
import io.microraft.model.message.VoteResponse;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of the messages between members.
 * <pre>
 *  0        1                   9            21         25
 *  +--------+-------------------+------------+----------+---------+
 *  | kind   | cell              | sender     | term     | content |
 *  +--------+-------------------+------------+----------+---------+
 *  1 append     previous term (4) | previous index (8) | commit index (8) | query (8) | flow (8) | count (4)
 *               | entry ...
 *  2 appended   last index (8) | query (8) | flow (8)
 *  3 refused    expected index (8) | query (8) | flow (8)
 *  4 snapshot   is leader (1) | term (4) | index (8) | pieces (4) | has piece (1) | piece | ids with the snapshot
 *               | members | query (8) | flow (8)
 *  5 ask piece  index (8) | number (4) | query (8) | flow (8)
 *  6 pre-vote   last term (4) | last index (8)         7 answer   granted (1)
 *  8 vote       last term (4) | last index (8) | sticky (1)       9 answer   granted (1)
 * 10 lead       last term (4) | last index (8)
 * </pre>
 * Numbers are little-endian. {@link RaftBytes} has the parts. Readers throw an exception for bytes of any other form.
 */
final class RaftCodec {
    private static final byte APPEND = 1;
    private static final byte APPENDED = 2;
    private static final byte REFUSED = 3;
    private static final byte SNAPSHOT = 4;
    private static final byte ASK_PIECE = 5;
    private static final byte PRE_VOTE = 6;
    private static final byte PRE_VOTE_ANSWER = 7;
    private static final byte VOTE = 8;
    private static final byte VOTE_ANSWER = 9;
    private static final byte LEAD = 10;
    private static final int ENTRY_BYTES_MIN = 17;

    private RaftCodec() {}

    static byte[] bytes(RaftMessage message) {
        Output out = Output.growing(256);
        switch (message) {
            case AppendEntriesRequest append -> append(out, append);
            case AppendEntriesSuccessResponse appended -> {
                head(out, APPENDED, message);
                out.putLong(appended.getLastLogIndex());
                flow(out, appended.getQuerySequenceNumber(), appended.getFlowControlSequenceNumber());
            }
            case AppendEntriesFailureResponse refused -> {
                head(out, REFUSED, message);
                out.putLong(refused.getExpectedNextIndex());
                flow(out, refused.getQuerySequenceNumber(), refused.getFlowControlSequenceNumber());
            }
            case InstallSnapshotRequest snapshot -> snapshot(out, snapshot);
            case InstallSnapshotResponse ask -> {
                head(out, ASK_PIECE, message);
                out.putLong(ask.getSnapshotIndex());
                out.putInt(ask.getRequestedSnapshotChunkIndex());
                flow(out, ask.getQuerySequenceNumber(), ask.getFlowControlSequenceNumber());
            }
            case PreVoteRequest vote -> last(out, PRE_VOTE, message, vote.getLastLogTerm(), vote.getLastLogIndex());
            case PreVoteResponse answer -> granted(out, PRE_VOTE_ANSWER, message, answer.isGranted());
            case VoteRequest vote -> {
                last(out, VOTE, message, vote.getLastLogTerm(), vote.getLastLogIndex());
                flag(out, vote.isSticky());
            }
            case VoteResponse answer -> granted(out, VOTE_ANSWER, message, answer.isGranted());
            case TriggerLeaderElectionRequest lead ->
                last(out, LEAD, message, lead.getLastLogTerm(), lead.getLastLogIndex());
            default -> throw new IllegalArgumentException("no message of a member: " + message.getClass());
        }
        return out.toByteArray();
    }

    private static void head(Output out, byte kind, RaftMessage message) {
        out.putByte(kind);
        out.putLong((Long) message.getGroupId());
        RaftBytes.putId(out, message.getSender());
        out.putInt(message.getTerm());
    }

    private static void flow(Output out, long query, long flow) {
        out.putLong(query);
        out.putLong(flow);
    }

    private static void flag(Output out, boolean isSet) {
        out.putByte((byte) (isSet ? 1 : 0));
    }

    private static void granted(Output out, byte kind, RaftMessage message, boolean isGranted) {
        head(out, kind, message);
        flag(out, isGranted);
    }

    private static void last(Output out, byte kind, RaftMessage message, int term, long index) {
        head(out, kind, message);
        out.putInt(term);
        out.putLong(index);
    }

    private static void append(Output out, AppendEntriesRequest append) {
        head(out, APPEND, append);
        out.putInt(append.getPreviousLogTerm());
        out.putLong(append.getPreviousLogIndex());
        out.putLong(append.getCommitIndex());
        flow(out, append.getQuerySequenceNumber(), append.getFlowControlSequenceNumber());
        out.putInt(append.getLogEntries().size());
        append.getLogEntries().forEach(entry -> RaftBytes.putEntry(out, entry));
    }

    private static void snapshot(Output out, InstallSnapshotRequest snapshot) {
        head(out, SNAPSHOT, snapshot);
        flag(out, snapshot.isSenderLeader());
        out.putInt(snapshot.getSnapshotTerm());
        out.putLong(snapshot.getSnapshotIndex());
        out.putInt(snapshot.getTotalSnapshotChunkCount());
        flag(out, snapshot.getSnapshotChunk() != null);
        if (snapshot.getSnapshotChunk() != null) {
            RaftBytes.putPiece(out, snapshot.getSnapshotChunk());
        }
        RaftBytes.putIds(out, snapshot.getSnapshottedMembers());
        RaftBytes.putMembers(out, snapshot.getGroupMembersView());
        flow(out, snapshot.getQuerySequenceNumber(), snapshot.getFlowControlSequenceNumber());
    }

    // ---- reading ----

    static RaftMessage read(byte[] bytes) {
        Input in = new Input(bytes, 0, bytes.length);
        byte kind = in.getByte();
        Head head = new Head(in.getLong(), RaftBytes.id(in), in.getInt());
        if (head.term() < 0) {
            throw in.malformed("term " + head.term());
        }
        RaftMessage message = read(kind, head, in);
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the end");
        }
        return message;
    }

    private record Head(Object cell, RaftEndpoint sender, int term) {}

    private static RaftMessage read(byte kind, Head head, Input in) {
        return switch (kind) {
            case APPEND -> append(head, in);
            case APPENDED -> RaftBytes.MODEL.createAppendEntriesSuccessResponseBuilder().setGroupId(head.cell())
                .setSender(head.sender()).setTerm(head.term()).setLastLogIndex(index(in))
                .setQuerySequenceNumber(in.getLong()).setFlowControlSequenceNumber(in.getLong()).build();
            case REFUSED -> RaftBytes.MODEL.createAppendEntriesFailureResponseBuilder().setGroupId(head.cell())
                .setSender(head.sender()).setTerm(head.term()).setExpectedNextIndex(index(in))
                .setQuerySequenceNumber(in.getLong()).setFlowControlSequenceNumber(in.getLong()).build();
            case SNAPSHOT -> snapshot(head, in);
            case ASK_PIECE -> RaftBytes.MODEL.createInstallSnapshotResponseBuilder().setGroupId(head.cell())
                .setSender(head.sender()).setTerm(head.term()).setSnapshotIndex(index(in))
                .setRequestedSnapshotChunkIndex(in.getInt()).setQuerySequenceNumber(in.getLong())
                .setFlowControlSequenceNumber(in.getLong()).build();
            case PRE_VOTE -> RaftBytes.MODEL.createPreVoteRequestBuilder().setGroupId(head.cell())
                .setSender(head.sender()).setTerm(head.term()).setLastLogTerm(in.getInt()).setLastLogIndex(index(in))
                .build();
            case PRE_VOTE_ANSWER -> RaftBytes.MODEL.createPreVoteResponseBuilder().setGroupId(head.cell())
                .setSender(head.sender()).setTerm(head.term()).setGranted(flag(in)).build();
            case VOTE -> RaftBytes.MODEL.createVoteRequestBuilder().setGroupId(head.cell()).setSender(head.sender())
                .setTerm(head.term()).setLastLogTerm(in.getInt()).setLastLogIndex(index(in)).setSticky(flag(in))
                .build();
            case VOTE_ANSWER -> RaftBytes.MODEL.createVoteResponseBuilder().setGroupId(head.cell())
                .setSender(head.sender()).setTerm(head.term()).setGranted(flag(in)).build();
            case LEAD -> RaftBytes.MODEL.createTriggerLeaderElectionRequestBuilder().setGroupId(head.cell())
                .setSender(head.sender()).setTerm(head.term()).setLastLogTerm(in.getInt()).setLastLogIndex(index(in))
                .build();
            default -> throw in.malformed("a message of kind " + kind);
        };
    }

    private static long index(Input in) {
        long index = in.getLong();
        if (index < 0) {
            throw in.malformed("index " + index);
        }
        return index;
    }

    private static boolean flag(Input in) {
        byte flag = in.getByte();
        if (flag != 0 && flag != 1) {
            throw in.malformed("flag " + flag);
        }
        return flag == 1;
    }

    private static RaftMessage append(Head head, Input in) {
        final int previousTerm = in.getInt();
        final long previousIndex = index(in);
        final long commitIndex = index(in);
        final long query = in.getLong();
        final long flow = in.getLong();
        final int count = in.getInt();
        if (count < 0 || count > in.left() / ENTRY_BYTES_MIN) {
            throw in.malformed(count + " entries");
        }
        List<LogEntry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(RaftBytes.entry(in));
        }
        return RaftBytes.MODEL.createAppendEntriesRequestBuilder().setGroupId(head.cell()).setSender(head.sender())
            .setTerm(head.term()).setPreviousLogTerm(previousTerm).setPreviousLogIndex(previousIndex)
            .setCommitIndex(commitIndex).setLogEntries(entries).setQuerySequenceNumber(query)
            .setFlowControlSequenceNumber(flow).build();
    }

    private static RaftMessage snapshot(Head head, Input in) {
        return RaftBytes.MODEL.createInstallSnapshotRequestBuilder().setGroupId(head.cell()).setSender(head.sender())
            .setTerm(head.term()).setSenderLeader(flag(in)).setSnapshotTerm(in.getInt()).setSnapshotIndex(index(in))
            .setTotalSnapshotChunkCount(in.getInt()).setSnapshotChunk(flag(in) ? RaftBytes.piece(in) : null)
            .setSnapshottedMembers(RaftBytes.ids(in)).setGroupMembersView(RaftBytes.members(in))
            .setQuerySequenceNumber(in.getLong()).setFlowControlSequenceNumber(in.getLong()).build();
    }
}
