package io.teff.test.bench.durable;

import static io.teff.test.bench.durable.DurableKind.ROCKSDB;
import static io.teff.test.bench.durable.DurableKind.TEFF;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Rounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The bars of Teff's durable store. */
final class DurableBars {
    private DurableBars() {}

    /** Returns the bars with figures. */
    static List<Bar> of(Rounds<DurableKind> rounds) {
        List<Bar> bars = new ArrayList<>();
        for (int writers : SyncedTrial.WRITERS) {
            String figure = "synced " + writers + "/s";
            bars.add(new Bar("SYNCED puts by " + writers + " / the best other's", best(rounds, figure), 1));
            bars.add(own(rounds, "SYNCED puts by " + writers + " / (" + writers + " x syncs of a page)",
                "synced " + writers + "/raw", 0.8));
        }
        for (String figure : List.of("put 1", "put 2", "batch 1", "batch 2")) {
            bars.add(new Bar("LOGGED " + figure + " / RocksDB", rounds.ratio(TEFF, figure, ROCKSDB, figure), 3));
        }
        bars.add(own(rounds, "LOGGED in batches by one thread, M/s", "batch 1", 3));
        bars.add(own(rounds, "LOGGED in batches by two threads, M/s", "batch 2", 3));
        bars.add(own(rounds, "64 B in batches until the device has all, M/s", "64 B M/s", Double.NaN));
        bars.add(own(rounds, "64 B replaced in batches until the device has all, M/s", "64 B put M/s", Double.NaN));
        for (int length : List.of(512, 4096)) {
            bars.add(own(rounds, "new chunks of " + length + " B / bandwidth of the disk", length + " B/raw", 0.7));
            bars.add(own(rounds, "replaced chunks of " + length + " B / bandwidth of the disk",
                length + " B put/raw", 0.7));
        }
        for (Spread spread : Spread.values()) {
            bars.add(own(rounds, "updates beside cleaning, " + spread.id() + ", M/s", spread.id(), 1));
        }
        bars.add(new Bar("64 MB / memory of the log with one zone",
            64 / rounds.median(TEFF, Zoned.memory(1)), 1));
        bars.add(new Bar("4 MB / memory of each zone more", 4 / rounds.median(TEFF, Zoned.MEMORY_PER_ZONE), 1));
        bars.add(own(rounds, "restored after a close, M/s", "opened M/s", 4));
        bars.add(own(rounds, "restored after a kill, M/s", "killed opened M/s", Double.NaN));
        bars.add(own(rounds, "restored after a close / read and checksum", "plain/opened", 0.6));
        bars.add(own(rounds, "restored after a kill / read and checksum", "killed plain/opened", Double.NaN));
        return bars.stream().filter(bar -> !Double.isNaN(bar.value())).toList();
    }

    private static Bar own(Rounds<DurableKind> rounds, String name, String figure, double least) {
        return new Bar(name, rounds.median(TEFF, figure), least);
    }

    /** Returns the smallest of the ratios to the others. */
    private static double best(Rounds<DurableKind> rounds, String figure) {
        return Arrays.stream(DurableKind.values()).filter(kind -> kind != TEFF)
            .mapToDouble(kind -> rounds.ratio(TEFF, figure, kind, figure)).filter(Double::isFinite).min()
            .orElse(Double.NaN);
    }
}
