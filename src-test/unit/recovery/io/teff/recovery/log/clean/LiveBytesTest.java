package io.teff.recovery.log.clean;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.Cid;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Goal: the sum is that of the last length of each index, for any order of lengths, places, creators and generations.
 */
final class LiveBytesTest {
    private static final int OWNER = 3;
    private static final int ZONE = 5;
    private static final long ZONE_FIRST = (long) ZONE << 20;
    private static final long GENERATION = 1L << 40;

    @Property(tries = 1000)
    void anyReplacements_sumUpLikeAMap(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LiveBytes live = new LiveBytes(new Newest(OWNER, ZONE));
        Map<Long, Long> model = new HashMap<>();
        long highest = -1;
        for (int i = random.nextInt(40); i > 0; i--) {
            long index = random.nextInt(6) == 0 ? random.nextInt(3) : ZONE_FIRST + random.nextInt(3) * 1023L;
            long cid = Cid.of(OWNER + random.nextInt(2), random.nextInt(3) * GENERATION + index);
            long bytes = random.nextInt(3) == 0 ? Integer.MAX_VALUE + random.nextLong(-1, 1L << 40)
                : random.nextInt(12, 1000);
            live.replace(cid, bytes);
            model.put(Newest.other(cid), bytes);
            highest = Math.max(highest, index);
            assertEquals(model.values().stream().mapToLong(Long::longValue).sum(), live.sum());
        }
        assertEquals(highest, live.highestIndex());
    }
}
