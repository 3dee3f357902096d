package io.teff.recovery.log.clean;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Chooses the segments to clean. */
public final class Victims {
    private Victims() {}

    /**
     * Returns the emptiest segments, as many as needed until the rest together with their live entries reaches the
     * wanted share. At least two, unless one has no live entry, because the live entries of a single one would fill a
     * segment again.
     *
     * @param liveBytes of each segment
     * @param bytes of each segment
     * @param fill wanted share of live bytes afterwards, above 0, below 1
     * @param most limit of the number of segments
     * @return numbers of segments, the emptiest first; empty if cleaning would free nothing
     */
    public static List<Integer> choose(long[] liveBytes, long[] bytes, double fill, int most) {
        long all = 0;
        long live = 0;
        for (int i = 0; i < bytes.length; i++) {
            all += bytes[i];
            live += liveBytes[i];
        }
        List<Integer> order = IntStream.range(0, bytes.length).boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> (double) liveBytes[i] / bytes[i])).toList();
        List<Integer> victims = new ArrayList<>();
        for (int victim : order) {
            if (victims.size() == most || live >= fill * all || liveBytes[victim] == bytes[victim]) {
                break;
            }
            victims.add(victim);
            all -= bytes[victim] - liveBytes[victim];
        }
        boolean isWorth = victims.size() > 1 || victims.stream().anyMatch(victim -> liveBytes[victim] == 0);
        return isWorth ? victims : List.of();
    }
}
