package io.teff.cluster.raft;

import io.microraft.RaftNode;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.message.AppendEntriesFailureResponse;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RaftStore;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fault planted into the members of a {@link RaftWorld}. */
enum RaftPlant {
    /** No fault. */
    NONE,
    /** A vote is written with the next sync of entries. */
    VOTE_NOT_SYNCED,
    /** Entries are synced only with the next vote. */
    ANSWER_BEFORE_THE_SYNC,
    /** Messages that begin at the snapshot are refused, as in MicroRaft 0.7. */
    SNAPSHOT_NOT_COMPARED,
    /** A leader does not end a pre-vote, as in MicroRaft 0.7. */
    PRE_VOTE_STAYS,
    /** A refused pre-vote does not take over the later term, as in MicroRaft 0.7. */
    LATER_TERM_IGNORED,
    /** A snapshot lacks what the last command has changed. */
    SNAPSHOT_MISSES_A_COMMAND,
    /** A leader commits entries of an earlier term once a majority has them. */
    COMMIT_OF_AN_OLD_TERM,
    /** A leader commits its entries without a majority, and answers. */
    STALE_LEADER_ANSWERS;

    RaftStore store(RaftJournal journal) {
        return this == VOTE_NOT_SYNCED || this == ANSWER_BEFORE_THE_SYNC ? new LateStore(journal) : journal;
    }

    RaftFilter filter() {
        return new RaftFilter() {
            @Override
            public void before(RaftMessage message, RaftNode node) {
                boolean isAnswer = message instanceof PreVoteResponse;
                if (RaftPlant.this != (isAnswer ? LATER_TERM_IGNORED : PRE_VOTE_STAYS)) {
                    super.before(message, node);
                }
                if (node instanceof RaftNodeImpl member && member.state().leaderState() != null) {
                    commit(member);
                }
            }

            @Override
            public @Nullable Passed pass(RaftMessage message, int term, LogView log) {
                boolean isAnswer = message instanceof AppendEntriesSuccessResponse
                    || message instanceof AppendEntriesFailureResponse;
                return RaftPlant.this == SNAPSHOT_NOT_COMPARED && !isAnswer
                    ? new Passed(message, 0) : super.pass(message, term, log);
            }
        };
    }

    /** Commits what a leader must not commit yet. */
    private void commit(RaftNodeImpl leader) {
        if (this != COMMIT_OF_AN_OLD_TERM && this != STALE_LEADER_ANSWERS) {
            return;
        }
        try {
            Method quorum = RaftNodeImpl.class.getDeclaredMethod("findQuorumMatchIndex");
            Method commit = RaftNodeImpl.class.getDeclaredMethod("commitEntries", long.class);
            quorum.setAccessible(true);
            commit.setAccessible(true);
            long index = this == STALE_LEADER_ANSWERS ? leader.state().log().lastLogOrSnapshotIndex()
                : (Long) quorum.invoke(leader);
            if (index > leader.state().commitIndex()) {
                commit.invoke(leader, index);
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    long hash(long hash) {
        return this == SNAPSHOT_MISSES_A_COMMAND ? hash + 1 : hash;
    }

    private final class LateStore implements RaftStore {
        private final RaftJournal journal;
        private @Nullable RaftTermPersistentState late;

        LateStore(RaftJournal journal) {
            this.journal = journal;
        }

        @Override
        public void persistAndFlushLocalEndpoint(RaftEndpointPersistentState part) throws IOException {
            journal.persistAndFlushLocalEndpoint(part);
        }

        @Override
        public void persistAndFlushInitialGroupMembers(RaftGroupMembersView members) throws IOException {
            journal.persistAndFlushInitialGroupMembers(members);
        }

        @Override
        public void persistAndFlushTerm(RaftTermPersistentState term) throws IOException {
            if (RaftPlant.this == VOTE_NOT_SYNCED) {
                late = term;
            } else {
                journal.persistAndFlushTerm(term);
            }
        }

        @Override
        public void persistLogEntries(List<LogEntry> entries) throws IOException {
            journal.persistLogEntries(entries);
        }

        @Override
        public void persistSnapshotChunk(SnapshotChunk piece) throws IOException {
            journal.persistSnapshotChunk(piece);
        }

        @Override
        public void truncateLogEntriesFrom(long index) throws IOException {
            journal.truncateLogEntriesFrom(index);
        }

        @Override
        public void truncateLogEntriesUntil(long index) throws IOException {
            journal.truncateLogEntriesUntil(index);
        }

        @Override
        public void deleteSnapshotChunks(long index, int count) {
            journal.deleteSnapshotChunks(index, count);
        }

        @Override
        public void flush() throws IOException {
            if (late != null) {
                journal.persistAndFlushTerm(late);
                late = null;
            }
            if (RaftPlant.this == VOTE_NOT_SYNCED) {
                journal.flush();
            }
        }
    }
}
