package io.teff.rdma.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.teff.engine.os.Platform;
import io.teff.test.kit.Seed;
import io.teff.test.net.Told;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Goal: the table equals a map, whatever the numbers. Method: random steps over few numbers, some of which collide. */
final class PairTableTest {
    private static final int STEPS = 20_000;
    private static final int NUMBERS = 300;
    /** Numbers whose distance is a multiple of the table's first size. */
    private static final int STRIDE = 64 << 8;

    @Test
    void steps_behaveLikeAMap() {
        final long seed = Seed.first();
        final SplittableRandom random = new SplittableRandom(seed);
        final VerbsTransport transport = new VerbsTransport(Platform.SYSTEM);
        final PairTable table = new PairTable();
        final Map<Integer, VerbsLink> model = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            final int number = random.nextInt(NUMBERS) * (random.nextBoolean() ? 1 : STRIDE);
            if (random.nextInt(3) < 2) {
                final VerbsLink link = VerbsLink.dialed(transport, "peer", new Told());
                table.put(number, link);
                model.put(number, link);
            } else {
                table.remove(number);
                model.remove(number);
            }
            final int other = random.nextInt(NUMBERS);
            assertSame(model.get(other), table.get(other), "reproduce: -Dseed=" + seed);
            assertSame(model.get(number), table.get(number), "reproduce: -Dseed=" + seed);
            assertEquals(model.size(), table.size(), "reproduce: -Dseed=" + seed);
        }
    }
}
