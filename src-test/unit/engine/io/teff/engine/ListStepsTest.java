package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.sequence.ChunkSegmentList;
import io.teff.engine.storage.CollectionChunks;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Goal: after each step of each change of a list, the chunks show the list before or after the change, so a snapshot at
 * any moment, and a crash after any group, leave a whole list. Method: the list is opened anew from its chunks after
 * each write of a chunk, and compared with a model; random changes split and join many segments. And: a journal whose
 * groups are restored one by one.
 */
final class ListStepsTest {
    private static final int OPERATIONS = Form.size(1_500, 20_000, 200_000);
    private static final int RECORDED = Form.size(300, 2_000, 2_000);
    private static final Set<String> WRITES = Set.of("store", "tryStore", "create", "remove", "leave", "unreserve");
    private static final String LONG = "long".repeat(200);

    private final List<String> model = new ArrayList<>();
    private final SplittableRandom random = Seed.random(Seed.first());
    private int made;

    /** Changes a list and its model; clustered, so that segments become full and sparse. */
    private void change(List<String> list, boolean isGrowing) {
        int size = model.size();
        int index = Math.min(size, random.nextInt(3) == 0 ? random.nextInt(size + 1) : size / 2 + random.nextInt(5));
        String element = made++ % 40 == 0 ? LONG + made : made + "e".repeat(made % 20);
        if (index == size || random.nextInt(10) < (isGrowing ? 8 : 1)) {
            int place = random.nextInt(8) == 0 ? 0 : random.nextInt(8) == 0 ? size : index;
            apply(place, element, list);
        } else if (random.nextInt(10) == 0) {
            after(copy -> copy.set(index, element));
            list.set(index, element);
        } else {
            after(copy -> copy.remove(index));
            list.remove(index);
        }
    }

    private void apply(int index, String element, List<String> list) {
        after(copy -> copy.add(index, element));
        if (index == list.size()) {
            list.add(element);
        } else {
            list.add(index, element);
        }
    }

    private List<String> before = List.of();

    private void after(Consumer<List<String>> change) {
        before = List.copyOf(model);
        change.accept(model);
    }

    private void check(List<String> shown) {
        assertTrue(shown.equals(model) || shown.equals(before), () -> shown + "\nis neither\n" + before + "\nnor\n"
            + model);
    }

    @Test
    void eachStep_showsTheListBeforeOrAfterAChange() {
        try (Store store = Stores.open()) {
            CollectionChunks chunks = Stores.nodes(store);
            long[] root = {0};
            int[] steps = {0};
            CollectionChunks watched = (CollectionChunks) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {CollectionChunks.class}, (_, method, arguments) -> {
                    Object result = call(method, chunks, arguments);
                    if (root[0] != 0 && WRITES.contains(method.getName())) {
                        steps[0]++;
                        ChunkSegmentList<String> opened = ChunkSegmentList.open(chunks, root[0], Codecs.STRING);
                        check(new ArrayList<>(opened));
                        opened.audit();
                    }
                    return result;
                });
            ChunkSegmentList<String> list = ChunkSegmentList.make(watched, Codecs.STRING);
            root[0] = list.root();
            for (int i = 0; i < OPERATIONS; i++) {
                change(list, i / 500 % 2 == 0);
            }
            list.audit();
            assertEquals(model, list);
            assertTrue(steps[0] > OPERATIONS, "steps " + steps[0]);
            root[0] = 0;
            list.clear();
            list.audit();
            list.drop();
            store.audit();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), Seed.first()), e);
        }
    }

    private static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void eachGroupOfAJournal_showsTheListBeforeOrAfterAChange() {
        RecordingJournal journal = new RecordingJournal();
        StoreConfig config = Stores.small().build();
        List<List<String>> contents = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        try (Store store = JournaledStores.open(Store.class, config, journal, _ -> { })) {
            List<String> list = store.list("it", Codecs.STRING);
            for (int i = 0; i < 200; i++) {
                apply(i, "element " + i, list);
            }
            contents.add(List.copyOf(model));
            sizes.add(journal.size());
            for (int i = 0; i < RECORDED; i++) {
                change(list, i > RECORDED / 2);
                contents.add(List.copyOf(model));
                sizes.add(journal.size());
            }
        }
        for (int i = 0; i < sizes.size() - 1; i++) {
            for (int count = sizes.get(i); count < sizes.get(i + 1); count++) {
                before = contents.get(i);
                model.clear();
                model.addAll(contents.get(i + 1));
                try (Store restored = journal.restore(count, config, new RecordingJournal())) {
                    List<String> list = restored.list("it", Codecs.STRING);
                    check(new ArrayList<>(list));
                    restored.list("it", Codecs.STRING).audit();
                    list.add(list.size() / 2, "more");
                    list.remove(0);
                    restored.list("it", Codecs.STRING).audit();
                }
            }
        }
    }
}
