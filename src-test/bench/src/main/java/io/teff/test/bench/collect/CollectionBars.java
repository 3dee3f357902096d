package io.teff.test.bench.collect;

import static io.teff.test.bench.collect.CollectionKind.GROWTH_CHM;
import static io.teff.test.bench.collect.CollectionKind.GROWTH_TEFF;
import static io.teff.test.bench.collect.CollectionKind.MAP_CHM;
import static io.teff.test.bench.collect.CollectionKind.MAP_CHRONICLE;
import static io.teff.test.bench.collect.CollectionKind.MAP_TEFF;
import static io.teff.test.bench.collect.CollectionKind.MAP_TEFF_LONG;
import static io.teff.test.bench.collect.CollectionKind.SORTED_MAPDB;
import static io.teff.test.bench.collect.CollectionKind.SORTED_SKIPLIST;
import static io.teff.test.bench.collect.CollectionKind.SORTED_TEFF;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Rounds;
import java.util.List;
import java.util.stream.Stream;

/** The bars of Teff's collections. */
final class CollectionBars {
    private CollectionBars() {}

    /** Returns the bars with figures. */
    static List<Bar> of(Rounds<CollectionKind> rounds) {
        String longestWait = "growth max us";
        String longestIdle = "idle max us";
        return Stream.of(
            ratio(rounds, "map get / ConcurrentHashMap", MAP_TEFF_LONG, MAP_CHM, "get", 1.2),
            ratio(rounds, "map get / Chronicle Map", MAP_TEFF_LONG, MAP_CHRONICLE, "get", Double.NaN),
            ratio(rounds, "map get with boxes / ConcurrentHashMap", MAP_TEFF, MAP_CHM, "get", Double.NaN),
            ratio(rounds, "map put / ConcurrentHashMap", MAP_TEFF_LONG, MAP_CHM, "put", 1.5),
            ratio(rounds, "map fill by process time / ConcurrentHashMap", MAP_TEFF_LONG, MAP_CHM, "fill cpu", 0.5),
            new Bar("map fill, two threads / one", rounds.ratio(MAP_TEFF_LONG, "fill 2", MAP_TEFF_LONG, "fill"), 1.7),
            ratio(rounds, "map load by process time / ConcurrentHashMap", MAP_TEFF_LONG, MAP_CHM, "load cpu", 1),
            new Bar("map get of 64 keys / get", rounds.ratio(MAP_TEFF_LONG, "get 64", MAP_TEFF_LONG, "get"), 3),
            new Bar("map iteration, M keys/s", rounds.median(MAP_TEFF_LONG, "keys"), 20),
            new Bar("map iteration, M entries/s", rounds.median(MAP_TEFF_LONG, "entries"), 20),
            new Bar("map bytes per entry", rounds.median(MAP_TEFF_LONG, "bytes"), Double.NaN),
            ratio(rounds, "sorted fill by process time / ConcurrentSkipListMap", SORTED_TEFF, SORTED_SKIPLIST,
                "fill cpu", 0.5),
            new Bar("sorted fill, two threads / one", rounds.ratio(SORTED_TEFF, "fill 2", SORTED_TEFF, "fill"), 1.7),
            ratio(rounds, "sorted get / ConcurrentSkipListMap", SORTED_TEFF, SORTED_SKIPLIST, "get", 1.2),
            new Bar("sorted get of 64 keys / get", rounds.ratio(SORTED_TEFF, "get 64", SORTED_TEFF, "get"), 3),
            ratio(rounds, "sorted get / MapDB", SORTED_TEFF, SORTED_MAPDB, "get", 3),
            ratio(rounds, "range scan by subMap / MapDB", SORTED_TEFF, SORTED_MAPDB, "range", 5),
            ratio(rounds, "range scan, fastest forms / MapDB", SORTED_TEFF, SORTED_MAPDB, "range fast", 5),
            new Bar("longest wait of growth / idle loop's",
                rounds.ratio(GROWTH_TEFF, longestWait, GROWTH_TEFF, longestIdle), Double.NaN),
            new Bar("the same of ConcurrentHashMap",
                rounds.ratio(GROWTH_CHM, longestWait, GROWTH_CHM, longestIdle), Double.NaN))
            .filter(bar -> !Double.isNaN(bar.value())).toList();
    }

    private static Bar ratio(Rounds<CollectionKind> rounds, String name, CollectionKind teff, CollectionKind other,
        String figure, double least) {
        return new Bar(name, rounds.ratio(teff, figure, other, figure), least);
    }
}
