package io.teff.cluster.consensus;

import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.RebuiltTables;
import io.teff.cluster.meta.RegistryChange;
import io.teff.cluster.meta.ZoneSpread;
import io.teff.cluster.registry.StepCode;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.os.FailureText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Bytes of proposals and snapshots.
 * <pre>
 *           0        4        6        8          12       16      24         32
 *           +--------+--------+--------+----------+--------+-------+----------+---------+
 *  proposal | magic  | level  | zeros  | crc32c   | member | life  | sequence | command |
 *           +--------+--------+--------+----------+--------+-------+----------+---------+
 *  snapshot | length n | description of the state (n) | state           |
 *           +----------+------------------------------+-----------------+
 * </pre>
 * Numbers are little-endian. The checksum covers everything in front of it and behind it. Command and state are written
 * by their schemas. Rows of tables in a command are written with a description of their own. A description lets a later
 * version read by names. A command has no description: the number of a command is the number of its class in the order
 * of the names, and the fields of a command never change.
 *
 * <p><b>Garbage, or a later version.</b> All members must agree on whether a record counts, also members of different
 * versions. So the rule below never changes:
 * <ul>
 * <li>A record without the magic, with a wrong checksum, or with a level of 0 is garbage for each version.
 * <li>A record with a level above {@link #LEVEL} is a command of a later version: this version can neither apply nor
 *     skip the record, and the member ends.
 * <li>A record up to {@link #LEVEL} that is no command of its level is garbage for each version. A command that is new
 *     in a version, or that may have a new constant of an enum, has a level above all levels of the versions before
 *     ({@link #level}), so a later version does not read more out of a record of an old level.
 * </ul>
 */
public final class ProposalCodec {
    /** The highest level of the commands that this version knows. */
    static final int LEVEL = 4;

    private static final int MAGIC = 0x31504654;                // "TFP1"
    private static final int LEVEL_AT = 4;
    private static final int ZEROS_AT = 6;
    private static final int CRC_AT = 8;
    private static final int MEMBER_AT = 12;
    private static final int LIFE_AT = 16;
    private static final int SEQUENCE_AT = 24;
    private static final int HEADER_BYTES = 32;
    private static final int SHORT_MASK = 0xFFFF;
    private static final Schema<Command> COMMANDS = Schema.builder(Command.class)
        .codec(RebuiltTables.class, new DescribedTables()).build();
    private static final Schema<MachineState> STATES = Schema.of(MachineState.class);

    private ProposalCodec() {}

    /** A proposal: proposing member and life, number of the proposal in this life, and the command. */
    public record Proposal(int member, long life, long sequence, Command command) {}

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
            try {
                return TABLES.readerOf(in.getString()).read(in);
            } catch (RuntimeException e) {
                throw new UnreadableTablesException(e);
            }
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    /** Tables that this version cannot read; another version may. */
    private static final class UnreadableTablesException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnreadableTablesException(RuntimeException cause) {
            super(FailureText.of(cause), cause);
        }
    }

    /** Returns the level of a command: the number of the first version of this format that has the command. */
    private static int level(Command command) {
        return switch (command) {
            case RegistryChange change when change.step().code() == StepCode.RAISE -> 3;
            case Command.OfServices _ -> 2;
            case ZoneSpread _ -> 4;
            case Command.OfPlaces _ -> 4;
            case Command.OfOperators _ -> 3;
            default -> 1;
        };
    }

    public static byte[] bytes(Proposal proposal) {
        Output out = Output.growing(128);
        out.putInt(MAGIC);
        out.putInt(level(proposal.command()));
        out.putInt(0);
        out.putInt(proposal.member());
        out.putLong(proposal.life());
        out.putLong(proposal.sequence());
        COMMANDS.write(proposal.command(), out);
        byte[] bytes = out.toByteArray();
        head(bytes).putInt(CRC_AT, crc(bytes));
        return bytes;
    }

    /** Returns what a record of the log is. Never throws an exception for the content of the record. */
    public static LogRecord read(byte[] bytes) {
        ByteBuffer head = head(bytes);
        if (bytes.length < HEADER_BYTES || head.getInt(0) != MAGIC || head.getInt(CRC_AT) != crc(bytes)) {
            return new LogRecord.Garbage("no superpeer has written it");
        }
        int level = head.getShort(LEVEL_AT) & SHORT_MASK;
        if (level > LEVEL) {
            return new LogRecord.Later("has level " + level + ", and this version knows levels up to " + LEVEL);
        }
        if (level == 0 || head.getShort(ZEROS_AT) != 0) {
            return new LogRecord.Garbage("level " + level + " does not exist");
        }
        try {
            Input in = new Input(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
            Command command = COMMANDS.read(in);
            return level(command) != level || in.left() > 0
                ? new LogRecord.Garbage("its command is longer, or of another level than " + level)
                : new LogRecord.Known(new Proposal(head.getInt(MEMBER_AT), head.getLong(LIFE_AT),
                    head.getLong(SEQUENCE_AT), command));
        } catch (RuntimeException e) {
            return isOfTables(e) ? new LogRecord.Later("has rebuilt tables that cannot be read: " + FailureText.of(e))
                : new LogRecord.Garbage("it has no command of level " + level + ": " + FailureText.of(e));
        }
    }

    /** Returns whether this version cannot read tables that have a description of their own. */
    private static boolean isOfTables(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof UnreadableTablesException || cause != null && isOfTables(cause);
    }

    private static ByteBuffer head(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CRC_AT);
        crc.update(bytes, MEMBER_AT, bytes.length - MEMBER_AT);
        return (int) crc.getValue();
    }

    public static byte[] snapshot(MachineState state) {
        byte[] description = STATES.description().getBytes(StandardCharsets.UTF_8);
        Output out = Output.growing(4096);
        out.putInt(description.length);
        out.putBytes(description, 0, description.length);
        STATES.write(state, out);
        return out.toByteArray();
    }

    public static MachineState state(byte[] bytes) {
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
        String description = new String(bytes, Integer.BYTES, length, StandardCharsets.UTF_8);
        int from = Integer.BYTES + length;
        return STATES.readerOf(description).read(new Input(bytes, from, bytes.length - from));
    }
}
