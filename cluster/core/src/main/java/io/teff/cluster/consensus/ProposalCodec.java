package io.teff.cluster.consensus;

import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.RebuiltTables;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Schema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Bytes of proposals and snapshots.
 * <pre>
 *           0          4             12             20
 *           +----------+-------------+--------------+------------------+
 *  proposal | member   | life        | sequence     | command          |
 *           +----------+-------------+--------------+------------------+
 *  snapshot | length n | description of the state (n) | state           |
 *           +----------+------------------------------+----------------+
 * </pre>
 * Numbers are little-endian. Command and state are written by their schemas. Rows of tables in a command are written
 * with a description of their own. A description lets a later version read by names. A command has no description: the
 * number of a command is the number of its class in the order of the names, and the fields of a command never change.
 */
final class ProposalCodec {
    private static final int HEADER_BYTES = 20;
    private static final int LIFE_AT = 4;
    private static final int SEQUENCE_AT = 12;
    private static final Schema<Command> COMMANDS = Schema.builder(Command.class)
        .codec(RebuiltTables.class, new DescribedTables()).build();
    private static final Schema<MachineState> STATES = Schema.of(MachineState.class);

    private ProposalCodec() {}

    /** A proposal: proposing member and life, number of the proposal in this life, and the command. */
    record Proposal(int member, long life, long sequence, Command command) {}

    /** Tables behind the description of their bytes, so that a new field of a row changes no command. */
    private static final class DescribedTables implements Codec<RebuiltTables> {
        private static final Schema<RebuiltTables> TABLES = Schema.of(RebuiltTables.class);

        @Override
        public void write(RebuiltTables tables, Output out) {
            out.putString(TABLES.description());
            TABLES.write(tables, out);
        }

        @Override
        public RebuiltTables read(Input in) {
            return TABLES.readerOf(in.getString()).read(in);
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    static byte[] bytes(Proposal proposal) {
        Output out = Output.growing(128);
        out.putInt(proposal.member());
        out.putLong(proposal.life());
        out.putLong(proposal.sequence());
        COMMANDS.write(proposal.command(), out);
        return out.toByteArray();
    }

    static Proposal proposal(byte[] bytes) {
        ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Input in = new Input(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
        return new Proposal(head.getInt(0), head.getLong(LIFE_AT), head.getLong(SEQUENCE_AT), COMMANDS.read(in));
    }

    static byte[] snapshot(MachineState state) {
        byte[] description = STATES.description().getBytes(StandardCharsets.UTF_8);
        Output out = Output.growing(4096);
        out.putInt(description.length);
        out.putBytes(description, 0, description.length);
        STATES.write(state, out);
        return out.toByteArray();
    }

    static MachineState state(byte[] bytes) {
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
        String description = new String(bytes, Integer.BYTES, length, StandardCharsets.UTF_8);
        int from = Integer.BYTES + length;
        return STATES.readerOf(description).read(new Input(bytes, from, bytes.length - from));
    }
}
