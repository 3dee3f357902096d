package io.teff.recovery.log.clean;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Chooses the segments to clean. */
public final class Victims {
    private Victims() {}

    /**
     * Returns the emptiest segments, as many as needed until the rest together with their live entries reaches the
     * wanted share. At least two, unless a segment has no live entry, because the live entries of a single segment
     * would fill a segment again.
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

    /**
     * Returns the emptiest segments that together free most bytes, as far as there is room for their live entries. Also
     * nearly full segments, short segments, and single segments.
     *
     * @param liveBytes of each segment
     * @param bytes of the file of each segment
     * @param layout says how long files with some live bytes are
     * @param room for the new files
     * @param most limit of the number of segments
     * @return numbers of segments, the emptiest first; empty if cleaning would free nothing
     */
    public static List<Integer> chooseAll(long[] liveBytes, long[] bytes, LongUnaryOperator layout, long room,
                                          int most) {
        final List<Integer> order = IntStream.range(0, bytes.length).boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> (double) liveBytes[i] / bytes[i])).toList();
        long all = 0;
        long live = 0;
        long best = 0;
        int count = 0;
        for (int i = 0; i < Math.min(most, order.size()); i++) {
            live += liveBytes[order.get(i)];
            all += bytes[order.get(i)];
            final long made = live == 0 ? 0 : layout.applyAsLong(live);
            if (made > room) {
                break;
            }
            if (all - made > best) {
                best = all - made;
                count = i + 1;
            }
        }
        return order.subList(0, count);
    }

    /**
     * Returns the first victims, as many as there is room for.
     *
     * @param victims numbers of segments
     * @param liveBytes of each segment
     * @param layout says how long files with some live bytes are
     * @param room for the new files
     * @return the first of these victims
     */
    public static List<Integer> limit(List<Integer> victims, long[] liveBytes, LongUnaryOperator layout, long room) {
        int count = victims.size();
        while (count > 0 && layout.applyAsLong(LongStream.range(0, count)
            .map(i -> liveBytes[victims.get((int) i)]).sum()) > room) {
            count--;
        }
        return victims.subList(0, count);
    }
}
