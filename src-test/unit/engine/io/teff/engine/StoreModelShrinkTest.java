package io.teff.engine;

import io.teff.engine.config.DebugLevel;
import io.teff.test.kit.Form;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.ActionChainArbitrary;
import net.jqwik.api.state.Transformer;

/**
 * Goal: like {@link StoreModelTest}; a failure comes as a short list of operations.
 *
 * <p>Method: the steps of the store model as jqwik action chains. jqwik prints its own seed and the shrunk chain.
 */
@Tag("modes")
final class StoreModelShrinkTest {
    private static final int STEPS_MAX = Form.size("teff.chain.steps", 10, 30, 200);

    @Property(tries = 200)
    void anyChain_equalsHashMap(@ForAll("chains") ActionChain<StoreModel> chain) {
        try {
            chain.withInvariant(StoreModelShrinkTest::check).run().close();
        } finally {
            chain.finalState().ifPresent(StoreModel::close);
        }
    }

    private static void check(StoreModel model) {
        model.audit();
        model.compareAll();
    }

    @Provide
    ActionChainArbitrary<StoreModel> chains() {
        ActionChainArbitrary<StoreModel> chains = ActionChain.startWith(() -> new StoreModel(1, DebugLevel.CANARIES));
        for (ModelStep step : ModelStep.values()) {
            chains = chains.withAction(step == ModelStep.CREATE ? 10 : 1, new StepAction(step));
        }
        return chains.withMaxTransformations(STEPS_MAX);
    }

    private record StepAction(ModelStep step) implements Action.Independent<StoreModel> {
        @Override
        public Arbitrary<Transformer<StoreModel>> transformer() {
            return Arbitraries.integers().between(0, 99).map(skip -> Transformer.mutate(step + "+" + skip, model -> {
                model.random.longs(skip).forEach(ignored -> { });
                step.run(model);
            }));
        }
    }
}
