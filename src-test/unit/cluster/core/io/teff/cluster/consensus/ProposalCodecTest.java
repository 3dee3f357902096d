package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.consensus.ProposalCodec.Proposal;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.RebuiltTables;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.net.identity.ClusterId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Goal: all versions agree on which records are garbage, and a command of a later version is no garbage. */
class ProposalCodecTest {
    private static final int NUMBER_AT = 32;
    private static final Command JOIN = new Command.Join(new UUID(1, 2), 3, "tcp:127.0.0.1:7411", Roles.PEER);
    private static final Command TABLES = new Command.ZonesRebuilt(-9, 1, 3, new RebuiltTables(
        new ClusterId(11, -12, "orders"), 1, 264, 81, 1, List.of(), List.of()));

    private static byte[] record(Command command) {
        return ProposalCodec.bytes(new Proposal(2, -11, 13, command));
    }

    private static void assertGarbage(byte[] record, String what) {
        assertInstanceOf(LogRecord.Garbage.class, ProposalCodec.read(record), what);
    }

    @Test
    void randomBytes_areGarbage() {
        Random random = new Random(7);
        for (int length = 0; length < 2_000; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertGarbage(bytes, "seed 7, length " + length);
        }
    }

    @Test
    void record_withAFlippedBit_orCut_orLonger_isGarbage() {
        byte[] whole = record(JOIN);
        for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
            byte[] changed = whole.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertGarbage(changed, "bit " + bit);
        }
        for (int length = 0; length < whole.length; length++) {
            assertGarbage(Arrays.copyOf(whole, length), "length " + length);
        }
        assertGarbage(Arrays.copyOf(whole, whole.length + 1), "a byte more");
    }

    @Test
    void record_withTheRightChecksumOfNoCommand_isGarbage() {
        byte[] unknown = record(JOIN);
        unknown[NUMBER_AT] = 100;
        assertGarbage(Records.sealed(unknown), "no command of level 1 has number 100");
        assertGarbage(Records.sealed(Arrays.copyOf(record(JOIN), NUMBER_AT)), "no command");
        assertGarbage(Records.sealed(Arrays.copyOf(record(JOIN), record(JOIN).length + 1)), "a byte more");
        assertGarbage(Records.ofLevel(0, record(JOIN)), "level 0");
    }

    @Test
    void record_ofAHigherLevel_isOfALaterVersion() {
        for (int level : new int[] {ProposalCodec.LEVEL + 1, 255, 256, 65_535}) {
            LogRecord.Later later = assertInstanceOf(LogRecord.Later.class,
                ProposalCodec.read(Records.ofLevel(level, record(JOIN))));
            assertEquals("has level " + level + ", and this version knows levels up to " + ProposalCodec.LEVEL,
                later.fault());
        }
    }

    /** Rows have a description; another version may read what this version cannot. */
    @Test
    void tables_thatThisVersionCannotRead_areNoGarbage() {
        byte[] bytes = record(TABLES);
        byte[] field = "nextZone".getBytes(StandardCharsets.US_ASCII);
        int at = 0;
        while (!Arrays.equals(bytes, at, at + field.length, field, 0, field.length)) {
            at++;
        }
        bytes[at - 1] = 0;
        LogRecord.Later later = assertInstanceOf(LogRecord.Later.class, ProposalCodec.read(Records.sealed(bytes)));
        assertTrue(later.fault().startsWith("has rebuilt tables that cannot be read: "), later.fault());
    }
}
