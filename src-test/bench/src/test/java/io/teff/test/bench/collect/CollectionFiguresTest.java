package io.teff.test.bench.collect;

import static io.teff.test.bench.collect.CollectionKind.GROWTH_TEFF;
import static io.teff.test.bench.collect.CollectionKind.MAP_CHM;
import static io.teff.test.bench.collect.CollectionKind.MAP_TEFF_LONG;
import static io.teff.test.bench.collect.CollectionKind.SORTED_MAPDB;
import static io.teff.test.bench.collect.CollectionKind.SORTED_TEFF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the reports of structures. */
final class CollectionFiguresTest {
    private static CollectionFigures maps() {
        CollectionFigures figures = new CollectionFigures(5000, 2, 100_000);
        figures.add(MAP_TEFF_LONG, map(50, 8, 6));
        figures.add(MAP_CHM, map(100, 10, 2));
        figures.add(MAP_TEFF_LONG, map(52, 6, 10));
        figures.add(MAP_CHM, map(100, 10, 4));
        return figures;
    }

    private static Outcome map(double bytes, double get, double put) {
        return new Outcome(Map.of("bytes", bytes, "get", get, "put", put, "keys", 2 * get, "entries", get), null);
    }

    @Test
    void table_twoMaps_isThisText() {
        assertEquals("""
            machine: Abacus 9, 4 processors, 1.5 GiB of memory, Linux 6.1
            JDK: 25.0.1+8, Somebody
            date: 2026-02-03T04:05:06Z
            commit: 0123abc
            flags of all: -XX:+AlwaysPreTouch -Dchronicle.analytics.disable=true \
            --sun-misc-unsafe-memory-access=allow
            flags of Teff ChunkLongMap: --enable-native-access=ALL-UNNAMED
            flags of ConcurrentHashMap: none

            5,000 entries, median of 2 rounds, one thread

            hash maps of long to 32 bytes: million operations, or entries of a walk, per second
                                            B/entry       fill     fill 2   fill cpu       load   load cpu     \
               get     get 64        put    compute       keys    entries     remove
            Teff ChunkLongMap                  51.0          -          -          -          -          -     \
              7.00          -       8.00          -       14.0       7.00          -
            ConcurrentHashMap                   100          -          -          -          -          -     \
              10.0          -       3.00          -       20.0       10.0          -

            half of the distance from the smallest to the largest round, % of the median
                                            B/entry       fill     fill 2   fill cpu       load   load cpu     \
               get     get 64        put    compute       keys    entries     remove
            Teff ChunkLongMap                  1.96          -          -          -          -          -     \
              14.3          -       25.0          -       14.3       14.3          -
            ConcurrentHashMap                  0.00          -          -          -          -          -     \
              0.00          -       33.3          -       0.00       0.00          -

            figure of Teff ChunkLongMap divided by the structure's, median of the rounds
                                            B/entry       fill     fill 2   fill cpu       load   load cpu     \
               get     get 64        put    compute       keys    entries     remove
            ConcurrentHashMap                  0.51          -          -          -          -          -     \
              0.70          -       2.75          -       0.70       0.70          -

            map get / ConcurrentHashMap                       0.70   at least 1.2: MISSED
            map put / ConcurrentHashMap                       2.75   at least 1.5: met
            map iteration, M keys/s                           14.0   at least 20.0: MISSED
            map iteration, M entries/s                        7.00   at least 20.0: MISSED
            map bytes per entry                               51.0
            """, maps().table(Sample.MACHINE));
    }

    @Test
    void table_growth_namesItsRateAndItsWaits() {
        CollectionFigures figures = new CollectionFigures(5000, 1, 100_000);
        figures.add(GROWTH_TEFF, growth(120, 40));
        String text = figures.table(Sample.MACHINE);
        String head = "growth of a hash map at a fixed rate of 100,000 per second: us that inserts waited";
        assertFalse(!text.contains(head) || text.contains("%"), text);
        assertEquals(List.of("Teff ChunkLongMap", "-", "-", "-", "-", "120", "-", "-", "40.0", "-", "-", "-"),
            List.of(text.lines().filter(line -> line.startsWith("Teff")).findFirst().orElseThrow().split(" {2,}")));
    }

    private static Outcome growth(double maxUs, double idleUs) {
        return new Outcome(Map.of("growth max us", maxUs, "idle max us", idleUs), null);
    }

    @Test
    void bars_allThatIsAsked_areMetOrNot() {
        CollectionFigures figures = maps();
        figures.add(GROWTH_TEFF, growth(120, 40));
        figures.add(SORTED_TEFF, new Outcome(Map.of("get", 6.0, "range", 20.0, "range fast", 50.0), null));
        figures.add(SORTED_MAPDB, new Outcome(Map.of("get", 2.0, "range", 5.0, "range fast", 10.0), null));
        List<Bar> bars = CollectionBars.of(figures);
        assertEquals(List.of("map get / ConcurrentHashMap 0.7 false", "map put / ConcurrentHashMap 2.75 true",
            "map iteration, M keys/s 14.0 false", "map iteration, M entries/s 7.0 false",
            "map bytes per entry 51.0 true", "sorted get / MapDB 3.0 true", "range scan by subMap / MapDB 4.0 false",
            "range scan, fastest forms / MapDB 5.0 true", "longest wait of growth / idle loop's 3.0 true"),
            bars.stream().map(bar -> bar.name() + " " + bar.value() + " " + bar.isMet()).toList());
    }

    @Test
    void json_twoMaps_hasFiguresRatiosAndBars() throws IOException {
        CollectionFigures figures = maps();
        figures.add(CollectionKind.MAP_CHRONICLE, new Outcome(Map.of(), "failed with exit code 1, see log"));
        Map<String, Object> document = JSON.std.mapFrom(figures.json(Sample.MACHINE));
        assertEquals(List.of("machine", "flags of all", "flags", "entries", "rounds", "rate", "figures", "ratios",
            "bars", "failures"), List.copyOf(document.keySet()));
        assertEquals(List.of(5000, 2, 100_000),
            List.of(document.get("entries"), document.get("rounds"), document.get("rate")));
        Map<?, ?> all = (Map<?, ?>) document.get("figures");
        assertEquals(Set.of("map-teff-long", "map-chm", "map-chronicle"), all.keySet());
        assertEquals(Map.of("median", 7.0, "spread", 1 / 7.0, "rounds", List.of(8.0, 6.0)),
            ((Map<?, ?>) all.get("map-teff-long")).get("get"));
        Map<?, ?> ratios = (Map<?, ?>) document.get("ratios");
        assertEquals(Set.of("map-chm"), ratios.keySet(), "nobody is compared with itself or with what failed");
        assertEquals(2.75, ((Map<?, ?>) ratios.get("map-chm")).get("put"));
        assertEquals(Map.of("name", "map put / ConcurrentHashMap", "value", 2.75, "atLeast", 1.5, "met", true),
            ((List<?>) document.get("bars")).get(1));
        assertEquals(Map.of("map-chronicle", "failed with exit code 1, see log"), document.get("failures"));
        assertFalse(figures.isComplete());
    }
}
