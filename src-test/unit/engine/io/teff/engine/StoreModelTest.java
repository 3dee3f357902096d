package io.teff.engine;

import io.teff.engine.config.DebugLevel;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: any sequence of operations leaves the store equal to a HashMap, and every status it returns is the right one.
 *
 * <p>Method: swarm. Each seed first draws a small store, few keys, few lengths, and its own mix of operations, some of
 * them absent; then it runs them. After every step {@code audit()} recomputes all invariants, and its sums must be the
 * model's. The debug levels take turns. {@link StoreModelShrinkTest} runs the same steps in a form that shrinks
 * failures. {@code -Dteff.model.sequences} and {@code -Dteff.model.steps} set the size.
 */
@Tag("modes")
@Tag("heavy")
final class StoreModelTest {
    private static final int SEQUENCES = Form.size("teff.model.sequences", 12, 50, 2000);
    private static final int STEPS = Integer.getInteger("teff.model.steps", 500);
    private static final int COMPARE_EACH = 32;
    private static final DebugLevel[] LEVELS = {DebugLevel.OFF, DebugLevel.CANARIES, DebugLevel.QUARANTINE};

    @Test
    void anySequence_equalsHashMap() throws InterruptedException, ExecutionException {
        long first = Seed.first();
        int threads = Runtime.getRuntime().availableProcessors();
        AtomicBoolean failed = new AtomicBoolean();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> parts = new ArrayList<>();
            for (int part = 0; part < threads; part++) {
                int from = part;
                parts.add(executor.submit(() -> {
                    for (int i = from; i < SEQUENCES && !failed.get(); i += threads) {
                        sequence(first + i, failed);
                    }
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        }
    }

    private static void sequence(long seed, AtomicBoolean failed) {
        List<ModelStep> steps = new ArrayList<>();
        try (StoreModel model = new StoreModel(seed, LEVELS[(int) (seed % LEVELS.length)])) {
            int[] weights = ModelStep.weights(model.random);
            for (int i = 0; i < STEPS; i++) {
                ModelStep step = ModelStep.draw(weights, model.random);
                steps.add(step);
                step.run(model);
                if (i % COMPARE_EACH == 0) {
                    model.compareAll();
                }
            }
            model.compareAll();
        } catch (RuntimeException | AssertionError e) {
            failed.set(true);
            throw new AssertionError("step " + (steps.size() - 1) + " of "
                + steps.subList(Math.max(steps.size() - 10, 0),
                steps.size()) + "; " + Seed.reproduce(StoreModelTest.class, seed, "-Dteff.model.sequences=1"), e);
        }
    }
}
