package io.teff.recovery.log.clean;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Chooses the segments that are cleaned. */
public final class Victims {
    private Victims() {}

    /**
     * The emptiest segments, as many as it takes until the rest and what lives of them is full enough. At least two,
     * unless one has nothing alive, because what lives of one alone would take a segment again.
     *
     * @param liveBytes of each segment
     * @param bytes of each segment
     * @param fill share of all bytes that shall live afterwards, above 0, below 1
     * @param most how many segments at most
     * @return numbers of segments, the emptiest first; none if there is nothing to win
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
