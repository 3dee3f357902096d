package io.teff.cluster.raft;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import io.microraft.persistence.RestoredRaftState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a member in its journal: its part in the cell, its term and vote, the snapshot, and the log.
 *
 * <p>The state follows from the records of the journal, in their order. For one thread.
 */
final class JournalState implements LogView {
    private @Nullable RaftId id;
    private boolean isVoter;
    private @Nullable RaftGroupMembersView founders;
    private int term;
    private @Nullable RaftEndpoint vote;
    private List<SnapshotChunk> snapshot = List.of();
    /** Pieces of a newer snapshot that is not complete. */
    private final List<SnapshotChunk> pieces = new ArrayList<>();
    private final List<LogEntry> entries = new ArrayList<>();

    void part(RaftId newId, boolean isNowVoter) {
        id = newId;
        isVoter = isNowVoter;
    }

    void founders(RaftGroupMembersView members) {
        founders = members;
    }

    void term(int newTerm, @Nullable RaftEndpoint newVote) {
        term = newTerm;
        vote = newVote;
    }

    /** Adds an entry behind the last entry. */
    void add(LogEntry entry) {
        if (entry.getIndex() != lastIndex() + 1) {
            throw new IllegalStateException("entry " + entry.getIndex() + " behind entry " + lastIndex());
        }
        entries.add(entry);
    }

    /** Removes an entry and all entries behind. */
    void cut(long index) {
        if (index <= snapshotIndex() || index > lastIndex()) {
            throw new IllegalStateException("the log from " + (snapshotIndex() + 1) + " to " + lastIndex()
                + " is cut at " + index);
        }
        entries.subList((int) (index - firstIndex()), entries.size()).clear();
    }

    /** Adds a piece of a snapshot. The snapshot takes the place of entries once all pieces are there. */
    void add(SnapshotChunk piece) {
        if (!pieces.isEmpty() && pieces.getFirst().getIndex() != piece.getIndex()) {
            pieces.clear();                                     // the leader has a newer one
        }
        pieces.removeIf(other -> other.getSnapshotChunkIndex() == piece.getSnapshotChunkIndex());
        pieces.add(piece);
        if (pieces.size() == piece.getSnapshotChunkCount()) {
            pieces.sort((left, right) -> Integer.compare(left.getSnapshotChunkIndex(), right.getSnapshotChunkIndex()));
            snapshot = List.copyOf(pieces);
            pieces.clear();
            if (lastIndex() <= snapshotIndex()) {
                entries.clear();
            } else if (firstIndex() > snapshotIndex() + 1) {
                throw new IllegalStateException("the log begins at " + firstIndex() + ", and its snapshot ends at "
                    + snapshotIndex());
            }
        }
    }

    /** Forgets entries up to an index that is at most that of the snapshot. */
    void forget(long index) {
        while (!entries.isEmpty() && entries.getFirst().getIndex() <= Math.min(index, snapshotIndex())) {
            entries.removeFirst();
        }
    }

    // ---- reading ----

    @Nullable RaftId id() {
        return id;
    }

    boolean isVoter() {
        return isVoter;
    }

    @Nullable RaftGroupMembersView founders() {
        return founders;
    }

    int term() {
        return term;
    }

    @Nullable RaftEndpoint vote() {
        return vote;
    }

    List<SnapshotChunk> snapshot() {
        return snapshot;
    }

    List<SnapshotChunk> pieces() {
        return pieces;
    }

    List<LogEntry> entries() {
        return entries;
    }

    @Override
    public long snapshotIndex() {
        return snapshot.isEmpty() ? 0 : snapshot.getFirst().getIndex();
    }

    @Override
    public int snapshotTerm() {
        return snapshot.isEmpty() ? 0 : snapshot.getFirst().getTerm();
    }

    @Override
    public long firstIndex() {
        return entries.isEmpty() ? snapshotIndex() + 1 : entries.getFirst().getIndex();
    }

    @Override
    public long lastIndex() {
        return entries.isEmpty() ? snapshotIndex() : entries.getLast().getIndex();
    }

    @Override
    public int term(long index) {
        return entries.get((int) (index - firstIndex())).getTerm();
    }

    /** Returns the state for a new start of the algorithm; null if the member has no part in a cell. */
    @Nullable RestoredRaftState restored() {
        if (id == null || founders == null) {
            return null;
        }
        forget(snapshotIndex());                                // as the algorithm does
        SnapshotEntry whole = snapshot.isEmpty() ? null : RaftBytes.MODEL.createSnapshotEntryBuilder()
            .setIndex(snapshotIndex()).setTerm(snapshotTerm()).setSnapshotChunks(snapshot)
            .setGroupMembersView(snapshot.getFirst().getGroupMembersView()).build();
        return new RestoredRaftState(
            RaftBytes.MODEL.createRaftEndpointPersistentStateBuilder().setLocalEndpoint(id).setVoting(isVoter).build(),
            founders,
            RaftBytes.MODEL.createRaftTermPersistentStateBuilder().setTerm(term).setVotedFor(vote).build(),
            whole, List.copyOf(entries));
    }
}
