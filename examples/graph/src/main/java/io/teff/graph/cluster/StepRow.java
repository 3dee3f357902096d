package io.teff.graph.cluster;

import io.teff.engine.compute.Reduction;
import java.util.Arrays;

/**
 * What a worker tells of a step.
 *
 * @param isLost whether the worker does not have the state of the superstep before any more
 * @param openCount vertices that have not halted
 * @param addedCount messages that the program has sent
 * @param sentCount messages that have left, after combining
 * @param sentBytes bytes that have left
 * @param numbers bits of aggregates, or further numbers
 */
record StepRow(boolean isLost, long openCount, long addedCount, long sentCount, long sentBytes, long[] numbers) {
    static final StepRow LOST = new StepRow(true, 0, 0, 0, 0, new long[0]);
    private static final int NUMBERS_INDEX = 5;

    static StepRow of(long... numbers) {
        return new StepRow(false, 0, 0, 0, 0, numbers);
    }

    byte[] write() {
        long[] all = new long[NUMBERS_INDEX + numbers.length];
        all[0] = isLost ? 1 : 0;
        all[1] = openCount;
        all[2] = addedCount;
        all[3] = sentCount;
        all[4] = sentBytes;
        System.arraycopy(numbers, 0, all, NUMBERS_INDEX, numbers.length);
        return Reduction.bytes(all);
    }

    static StepRow read(byte[] bytes) {
        long[] all = Reduction.numbers(bytes);
        return new StepRow(all[0] != 0, all[1], all[2], all[3], all[4], Arrays.copyOfRange(all, NUMBERS_INDEX,
            all.length));
    }
}
