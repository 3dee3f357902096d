package io.teff.graph.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.test.kit.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: a packed run is read as it was written. Method: pairs of all lengths with the least and the greatest number of
 * each length, at the end of an array and in front of other bytes; and random runs, read in two parts.
 */
final class RunBytesTest {
    private static final int RUNS = 2_000;
    private static final int LENGTH_MAX = 40;
    private static final byte[] FILLERS = {0, 0x7F, -1, (byte) 0x80};

    /** The least and the greatest number of 1 to 5 bytes whose sum with another one is no more than an int. */
    private static final int[] NUMBERS = {0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, 0x1F_FFFF, 0x20_0000, 0xFFF_FFFF,
        0x1000_0000, 0x3FFF_FFFF};

    @Test
    void unpack_pairsOfAllLengths_areTheWrittenNumbers() {
        for (int one : NUMBERS) {
            for (int two : NUMBERS) {
                for (int room = 0; room <= Long.BYTES; room++) {
                    for (byte filler : FILLERS) {
                        byte[] bytes = new byte[2 * RunBytes.VAR_BYTES_MAX + room];
                        Arrays.fill(bytes, filler);
                        int end = RunBytes.putVar(bytes, RunBytes.putVar(bytes, 0, one), two);
                        byte[] cut = Arrays.copyOf(bytes, end + room);
                        int[] targets = {-1, -1, -1, -1};
                        assertEquals(end, RunBytes.unpack(cut, 0, 0, targets, 1, 2), one + ", " + two);
                        assertArrayEquals(new int[] {-1, one, one + two, -1}, targets, one + ", " + two);
                    }
                }
            }
        }
    }

    @Test
    void unpack_randomRuns_areTheWrittenRuns() {
        long first = Seed.first();
        for (long seed = first; seed < first + RUNS; seed++) {
            SplittableRandom random = Seed.random(seed);
            int[] run = new int[random.nextInt(1, LENGTH_MAX)];
            int bits = random.nextInt(1, Integer.SIZE);
            for (int i = 0; i < run.length; i++) {
                run[i] = random.nextInt() >>> Integer.SIZE - bits;
            }
            Arrays.sort(run);
            byte[] bytes = new byte[(int) RunBytes.bytesMax(RunForm.PACKED, run.length, false)];
            int end = RunBytes.write(RunForm.PACKED, run, new double[0], false, 0, run.length, bytes, 0);
            byte[] cut = Arrays.copyOf(bytes, end);
            int head = RunBytes.putVar(new byte[RunBytes.VAR_BYTES_MAX], 0, run.length);
            int split = random.nextInt(run.length + 1);
            int[] found = new int[run.length];
            int middle = RunBytes.unpack(cut, head, 0, found, 0, split);
            int before = split == 0 ? 0 : run[split - 1];
            assertEquals(end, RunBytes.unpack(cut, middle, before, found, split, run.length - split),
                Seed.reproduce(RunBytesTest.class, seed));
            assertArrayEquals(run, found, Seed.reproduce(RunBytesTest.class, seed));
        }
    }
}
