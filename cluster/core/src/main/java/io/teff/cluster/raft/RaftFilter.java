package io.teff.cluster.raft;

import io.microraft.RaftNode;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.model.log.LogEntry;
import io.microraft.model.message.AppendEntriesFailureResponse;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.InstallSnapshotRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Mends what MicroRaft 0.7 gets wrong, between the network and the algorithm.
 *
 * <p><b>A pre-vote that a leader ends.</b> A member that asks for pre-votes, and then hears of the leader again, keeps
 * the mark of its pre-vote. A member with this mark begins no pre-vote. So once all followers have the mark, no member
 * asks for votes after the end of the leader. The filter removes the mark before the algorithm handles a message of the
 * leader ({@link #before}).
 *
 * <p><b>A pre-vote in an earlier term.</b> A member with a long log and an early term is refused by a member in a later
 * term, and the algorithm does not take over the later term. If the member in the later term has a short log, the
 * member with the long log refuses, too, and no member ever leads. The filter takes over the later term. (A later term
 * may always be taken over.)
 *
 * <p><b>Answers of an earlier term.</b> A member that led in term 3 and leads again in term 5 must not count a late
 * answer of term 3: the follower's entries may have been replaced in term 4. The algorithm counts the late answer. The
 * filter drops the answer.
 *
 * <p><b>Entries directly behind a snapshot.</b> A member that has started from its snapshot has no entry in front of
 * the snapshot's last entry S. The algorithm compares the entry in front of new entries by looking in the log, not in
 * the snapshot. So a member with a snapshot and with entries of an earlier leader behind the snapshot refuses each
 * message that begins at or in front of S, and the leader can never bring the member's log in line.
 *
 * <p>Entries up to S are committed, and each leader of this or a later term has all committed entries. So a message
 * from such a leader that begins at or in front of S agrees with this member up to S. The filter cuts off the entries
 * up to S, and lets the message begin behind an entry for which the algorithm looks in the log:
 * <pre>
 *   message:      previous p &lt;= S, entries p+1 .. q
 *   q &lt;= S                        the member has all entries: nothing to append; the member has entries up to q
 *   no entry behind S             previous S
 *   the entry S+1 has its term    previous S+1
 *   the entry S+1 has another     the algorithm compares nothing for a previous index of 0, finds that the entry S+1
 *                                 differs, and replaces all entries behind S
 * </pre>
 * With a previous index of 0 the algorithm answers with the number of entries instead of the last index, so the number
 * of entries in front is added to the answer ({@link Passed#offset}); and the message has no commit index, so the
 * entries count as committed with the next message.
 */
class RaftFilter implements RaftCore.Filter {
    /** Ends a pre-vote if the message is of a leader, or refuses the pre-vote in a later term. */
    @Override
    public void before(RaftMessage message, RaftNode node) {
        boolean isOfLeader = message instanceof AppendEntriesRequest
            || message instanceof InstallSnapshotRequest snapshot && snapshot.isSenderLeader();
        boolean isRefusal = message instanceof PreVoteResponse answer && !answer.isGranted();
        int term = node.getTerm().getTerm();
        if (node instanceof RaftNodeImpl member && member.state().preCandidateState() != null
            && (isOfLeader && message.getTerm() == term || isRefusal && message.getTerm() > term + 1)) {
            member.toFollower(message.getTerm());               // in the same term the vote stays
        }
    }

    /**
     * A message for the algorithm.
     *
     * @param message for the algorithm, perhaps changed
     * @param offset to be added to the last index in the answer that the member sends to this message
     */
    record Passed(RaftMessage message, long offset) {}

    /**
     * Returns what the algorithm may handle.
     *
     * @param message of another member
     * @param term the member's term
     * @param log the member's log
     * @return the message, a changed message, or null if the message must not be handled
     */
    @Override
    public @Nullable Passed pass(RaftMessage message, int term, LogView log) {
        if (message.getTerm() < term
            && (message instanceof AppendEntriesSuccessResponse || message instanceof AppendEntriesFailureResponse)) {
            return null;
        }
        return message instanceof AppendEntriesRequest append && append.getTerm() >= term
            ? pass(append, log) : new Passed(message, 0);
    }

    private static Passed pass(AppendEntriesRequest append, LogView log) {
        final long previous = append.getPreviousLogIndex();
        final long snapshot = log.snapshotIndex();
        if (snapshot == 0 || previous > snapshot || previous >= log.firstIndex() || previous == log.lastIndex()) {
            return new Passed(append, 0);
        }
        final List<LogEntry> entries = append.getLogEntries();
        final int skipped = (int) Math.min(snapshot - previous, entries.size());
        final List<LogEntry> left = entries.subList(skipped, entries.size());
        if (left.isEmpty()) {
            return new Passed(with(append, 0, 0, List.of(), 0), previous + skipped);
        }
        if (log.lastIndex() == snapshot) {
            return new Passed(with(append, snapshot, log.snapshotTerm(), left, append.getCommitIndex()), 0);
        }
        final int own = log.term(snapshot + 1);
        return left.getFirst().getTerm() == own
            ? new Passed(with(append, snapshot + 1, own, left.subList(1, left.size()), append.getCommitIndex()), 0)
            : new Passed(with(append, 0, 0, left, 0), snapshot);
    }

    private static RaftMessage with(AppendEntriesRequest append, long index, int term, List<LogEntry> entries,
                                    long commitIndex) {
        return RaftBytes.MODEL.createAppendEntriesRequestBuilder().setGroupId(append.getGroupId())
            .setSender(append.getSender()).setTerm(append.getTerm()).setPreviousLogIndex(index)
            .setPreviousLogTerm(term).setCommitIndex(commitIndex).setLogEntries(entries)
            .setQuerySequenceNumber(append.getQuerySequenceNumber())
            .setFlowControlSequenceNumber(append.getFlowControlSequenceNumber()).build();
    }

    /**
     * Returns an answer of the member with the index that the leader expects.
     *
     * @param answer of the algorithm
     * @param offset of the message that is answered
     */
    static RaftMessage answer(AppendEntriesSuccessResponse answer, long offset) {
        return RaftBytes.MODEL.createAppendEntriesSuccessResponseBuilder().setGroupId(answer.getGroupId())
            .setSender(answer.getSender()).setTerm(answer.getTerm())
            .setLastLogIndex(answer.getLastLogIndex() + offset)
            .setQuerySequenceNumber(answer.getQuerySequenceNumber())
            .setFlowControlSequenceNumber(answer.getFlowControlSequenceNumber()).build();
    }
}
