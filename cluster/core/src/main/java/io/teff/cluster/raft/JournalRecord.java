package io.teff.cluster.raft;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A record of the journal.
 * <pre>
 *  0        4        8               16     17
 *  +--------+--------+---------------+------+-----------------------------------------+
 *  | length | crc32c | synced        | kind | content                                 |
 *  +--------+--------+---------------+------+-----------------------------------------+
 *                                      1 part     id | is voter (1)
 *                                      2 founders members
 *                                      3 term     term (4) | vote: an id, with zeros without a vote
 *                                      4 entry    entry
 *                                      5 cut      index (8): the log ends in front of it
 *                                      6 piece    piece of a snapshot
 * </pre>
 * The length counts kind and content. The checksum covers everything but itself. "Synced" is the length of the file
 * that was known to be on the disk when the record was written: bytes in front of it cannot be torn.
 */
final class JournalRecord {
    static final int HEADER_BYTES = 16;
    private static final int CRC_AT = 4;
    private static final int SYNCED_AT = 8;
    /** Far above the largest snapshot of the metadata. */
    private static final int BYTES_MAX = 1 << 30;
    private static final byte PART = 1;
    private static final byte FOUNDERS = 2;
    private static final byte TERM = 3;
    private static final byte ENTRY = 4;
    private static final byte CUT = 5;
    private static final byte PIECE = 6;

    private JournalRecord() {}

    static Output part(RaftId id, boolean isVoter) {
        Output out = record(PART);
        RaftBytes.putId(out, id);
        out.putByte((byte) (isVoter ? 1 : 0));
        return out;
    }

    static Output founders(RaftGroupMembersView members) {
        Output out = record(FOUNDERS);
        RaftBytes.putMembers(out, members);
        return out;
    }

    static Output term(int term, @Nullable RaftEndpoint vote) {
        Output out = record(TERM);
        out.putInt(term);
        RaftBytes.putVote(out, vote);
        return out;
    }

    static Output entry(LogEntry entry) {
        Output out = record(ENTRY);
        RaftBytes.putEntry(out, entry);
        return out;
    }

    static Output cut(long index) {
        Output out = record(CUT);
        out.putLong(index);
        return out;
    }

    static Output piece(SnapshotChunk piece) {
        Output out = record(PIECE);
        RaftBytes.putPiece(out, piece);
        return out;
    }

    private static Output record(byte kind) {
        Output out = Output.growing(256);
        out.putLong(0);
        out.putLong(0);
        out.putByte(kind);
        return out;
    }

    /** Returns the bytes of a record, given how much of the file is on the disk. */
    static byte[] bytes(Output record, long synced) {
        byte[] bytes = record.toByteArray();
        ByteBuffer head = buffer(bytes);
        head.putInt(0, bytes.length - HEADER_BYTES);
        head.putLong(SYNCED_AT, synced);
        head.putInt(CRC_AT, crc(bytes, 0, bytes.length));
        return bytes;
    }

    /** Returns the length of the valid record at a place in a file; 0 if there is none. */
    static int length(byte[] file, int from) {
        if (file.length - from <= HEADER_BYTES) {
            return 0;
        }
        ByteBuffer head = buffer(file);
        int length = head.getInt(from);
        if (length < 1 || length > BYTES_MAX || length > file.length - from - HEADER_BYTES) {
            return 0;
        }
        int all = length + HEADER_BYTES;
        return head.getInt(from + CRC_AT) == crc(file, from, all) ? all : 0;
    }

    /** Returns how much of the file was known to be on the disk when a valid record was written. */
    static long synced(byte[] file, int from) {
        return buffer(file).getLong(from + SYNCED_AT);
    }

    /** Does in the state what a valid record says. */
    static void replay(byte[] file, int from, int length, JournalState state) {
        Input in = new Input(file, from + HEADER_BYTES, length - HEADER_BYTES);
        byte kind = in.getByte();
        switch (kind) {
            case PART -> state.part(RaftBytes.id(in), in.getByte() == 1);
            case FOUNDERS -> state.founders(RaftBytes.members(in));
            case TERM -> state.term(in.getInt(), RaftBytes.vote(in));
            case ENTRY -> state.add(RaftBytes.entry(in));
            case CUT -> state.cut(in.getLong());
            case PIECE -> state.add(RaftBytes.piece(in));
            default -> throw in.malformed("a record of kind " + kind);
        }
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the record");
        }
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, CRC_AT);
        crc.update(bytes, from + SYNCED_AT, length - SYNCED_AT);
        return (int) crc.getValue();
    }
}
