package io.teff.test.bench.collect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every number has one place, and neighbours are far from each other. */
final class ShuffleTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 64, 100, 1000, 1023, 1024, 1025, 100_000})
    void at_allPlaces_areAllNumbersOnce(int count) {
        Shuffle order = new Shuffle(count);
        assertArrayEquals(LongStream.range(0, count).toArray(),
            LongStream.range(0, count).map(order::at).sorted().toArray());
    }

    /** Two random numbers below the count are a third of it apart in the mean. */
    @ParameterizedTest
    @ValueSource(ints = {1000, 20_000, 100_000, 1 << 20})
    void at_neighbours_areAsFarApartAsRandomNumbers(int count) {
        Shuffle order = new Shuffle(count);
        double mean = LongStream.range(1, count).map(place -> Math.abs(order.at(place) - order.at(place - 1)))
            .average().orElseThrow();
        assertTrue(Math.abs(mean - count / 3.0) < count / 20.0, () -> "neighbours of " + count + ": " + mean);
    }
}
