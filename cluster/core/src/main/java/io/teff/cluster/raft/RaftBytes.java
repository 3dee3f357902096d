package io.teff.cluster.raft;

import io.microraft.MembershipChangeMode;
import io.microraft.RaftEndpoint;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.BaseLogEntry;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of the parts of which messages and records of the journal consist.
 * <pre>
 *  id       number (4) | birth (8)
 *  ids      count (4) | id ...
 *  members  log index (8) | ids of all members | ids of the voters
 *  entry    index (8) | term (4) | kind (1) | content
 *             kind 0: a proposal    length (4) | bytes
 *             kind 1: new members   ids of all | ids of the voters | changed id | change (4)
 *  piece    index (8) | term (4) | number (4) | count (4) | members | length (4) | bytes of the state
 * </pre>
 * Numbers are little-endian. Readers throw an exception for bytes of any other form.
 */
final class RaftBytes {
    static final RaftModelFactory MODEL = new DefaultRaftModelFactory();
    private static final byte PROPOSAL = 0;
    private static final byte NEW_MEMBERS = 1;
    private static final int ID_BYTES = Integer.BYTES + Long.BYTES;
    /** Far more than members that ever exist at one time. */
    private static final int IDS_MAX = 64;

    private RaftBytes() {}

    static void putId(Output out, RaftEndpoint id) {
        RaftId member = (RaftId) id;
        out.putInt(member.number());
        out.putLong(member.birth());
    }

    static RaftId id(Input in) {
        return new RaftId(in.getInt(), in.getLong());
    }

    static void putVote(Output out, @Nullable RaftEndpoint id) {
        putId(out, id == null ? new RaftId(0, 0) : id);
    }

    /** Reads an id that may be missing. */
    static @Nullable RaftId vote(Input in) {
        RaftId id = id(in);
        return id.birth() == 0 ? null : id;
    }

    static void putIds(Output out, Collection<RaftEndpoint> ids) {
        out.putInt(ids.size());
        ids.forEach(id -> putId(out, id));
    }

    static List<RaftEndpoint> ids(Input in) {
        int count = in.getInt();
        if (count < 0 || count > IDS_MAX || count > in.left() / ID_BYTES) {
            throw in.malformed(count + " members");
        }
        List<RaftEndpoint> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ids.add(id(in));
        }
        return ids;
    }

    static void putMembers(Output out, RaftGroupMembersView members) {
        out.putLong(members.getLogIndex());
        putIds(out, members.getMembers());
        putIds(out, members.getVotingMembers());
    }

    static RaftGroupMembersView members(Input in) {
        return members(in.getLong(), ids(in), ids(in));
    }

    static RaftGroupMembersView members(long index, Collection<RaftEndpoint> all, Collection<RaftEndpoint> voters) {
        return MODEL.createRaftGroupMembersViewBuilder().setLogIndex(index).setMembers(all).setVotingMembers(voters)
            .build();
    }

    static void putEntry(Output out, LogEntry entry) {
        putPlace(out, entry);
        if (entry.getOperation() instanceof UpdateRaftGroupMembersOp members) {
            out.putByte(NEW_MEMBERS);
            putIds(out, members.getMembers());
            putIds(out, members.getVotingMembers());
            putId(out, members.getEndpoint());
            out.putInt(members.getMode().ordinal());
        } else {
            out.putByte(PROPOSAL);
            putArray(out, (byte[]) entry.getOperation());
        }
    }

    static LogEntry entry(Input in) {
        return MODEL.createLogEntryBuilder().setIndex(in.getLong()).setTerm(in.getInt()).setOperation(operation(in))
            .build();
    }

    private static Object operation(Input in) {
        byte kind = in.getByte();
        return switch (kind) {
            case PROPOSAL -> array(in);
            case NEW_MEMBERS -> MODEL.createUpdateRaftGroupMembersOpBuilder().setMembers(ids(in))
                .setVotingMembers(ids(in)).setEndpoint(id(in)).setMode(change(in)).build();
            default -> throw in.malformed("an entry of kind " + kind);
        };
    }

    private static MembershipChangeMode change(Input in) {
        int number = in.getInt();
        MembershipChangeMode[] all = MembershipChangeMode.values();
        if (number < 0 || number >= all.length) {
            throw in.malformed("a change of members of kind " + number);
        }
        return all[number];
    }

    private static void putPlace(Output out, BaseLogEntry entry) {
        out.putLong(entry.getIndex());
        out.putInt(entry.getTerm());
    }

    static void putPiece(Output out, SnapshotChunk piece) {
        putPlace(out, piece);
        out.putInt(piece.getSnapshotChunkIndex());
        out.putInt(piece.getSnapshotChunkCount());
        putMembers(out, piece.getGroupMembersView());
        putArray(out, (byte[]) piece.getOperation());
    }

    static SnapshotChunk piece(Input in) {
        return MODEL.createSnapshotChunkBuilder().setIndex(in.getLong()).setTerm(in.getInt())
            .setSnapshotChunkIndex(in.getInt()).setSnapshotChunkCount(in.getInt()).setGroupMembersView(members(in))
            .setOperation(array(in)).build();
    }

    private static void putArray(Output out, byte[] bytes) {
        out.putInt(bytes.length);
        out.putBytes(bytes, 0, bytes.length);
    }

    private static byte[] array(Input in) {
        int length = in.getInt();
        if (length < 0 || length > in.left()) {
            throw in.malformed(length + " bytes in " + in.left());
        }
        int from = in.take(length);
        return Arrays.copyOfRange(in.array(), from, from + length);
    }
}
