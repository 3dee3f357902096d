package io.teff.engine.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.test.kit.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: a journal finds each record that a thread has left, whatever the distances between those that are left at the
 * same time. Method: pairs at each distance that a ring can have, runs of records, random ones.
 */
final class AbandonedRecordsTest {
    private static final int MORE_BITS = 28;

    private static void leave(AbandonedRecords records, long record, long entry) {
        final long[] left = records.places();
        final long product = record * AbandonedRecords.SPREAD;
        int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
            >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
        while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
            place++;
        }
        left[place] = entry;
    }

    /** A ring that is full has its first and its last record at such a distance, less a few bytes. */
    @Test
    void pairsOfRecords_atDistancesOfPowersOfTwo_areFound() {
        SplittableRandom random = new SplittableRandom(Seed.first());
        for (int power = 4; power < 36; power++) {
            for (int i = 0; i < 200; i++) {
                AbandonedRecords records = new AbandonedRecords();
                long first = 8 + random.nextLong(1L << 36) / 8 * 8;
                long last = first + (1L << power) - 8L * random.nextInt(2);
                leave(records, first, first);
                leave(records, last, last);
                assertEquals(first, records.take(first));
                assertEquals(last, records.take(last));
                assertEquals(0, records.take(last), "taken");
            }
        }
    }

    @Test
    void manyRuns_ofNearRecords_areFound() {
        SplittableRandom random = new SplittableRandom(Seed.first());
        for (int bytes = 48; bytes < 400; bytes += 8) {
            AbandonedRecords records = new AbandonedRecords(MORE_BITS);
            long start = 8 + random.nextLong(1L << 34) / 8 * 8;
            for (int run = 0; run < 5; run++) {
                for (int i = 0; i < 200; i++) {
                    long record = start + (long) run * (3 << 19) + (long) i * bytes;
                    leave(records, record, record << MORE_BITS - 3 | i);
                }
            }
            for (int run = 0; run < 5; run++) {
                for (int i = 0; i < 200; i++) {
                    long record = start + (long) run * (3 << 19) + (long) i * bytes;
                    assertEquals(record << MORE_BITS - 3 | i, records.take(record), "bytes " + bytes);
                }
            }
        }
    }

    /** A committed record that is left nevertheless is never looked for; its place becomes free again. */
    @Test
    void recordsThatNobodyLooksFor_takeNoPlaceForever() {
        SplittableRandom random = new SplittableRandom(Seed.first());
        AbandonedRecords records = new AbandonedRecords(MORE_BITS);
        long record = 8;
        for (int i = 0; i < 1_000_000; i++) {
            record += 8L * (6 + random.nextInt(100));
            leave(records, record, record << MORE_BITS - 3 | 5);
            if (random.nextBoolean()) {
                assertEquals(record << MORE_BITS - 3 | 5, records.take(record));
            }
            record += 8;
            assertEquals(0, records.take(record));
        }
    }
}
