package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Formerly;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a release that is rolled back loses nothing. The former release reads everything, or is refused and leaves the
 * collection as it was.
 *
 * <p>Method: ten releases of a record. Between each release and the next, a collection goes forward, back and forward
 * again, and both releases migrate the collection at their start. The next release adds a value, or only opens the
 * collection.
 */
final class RollbackTest {
    private static final int COUNT = 20;

    record R1(String id, int cents) {}

    record R2(String id, int cents, List<String> tags) {}

    record R3(String id, long cents, List<String> tags) {}

    record R4(@Formerly("id") String key, @Formerly("cents") long price, List<String> tags) {}

    record R5(List<String> tags, String key, long price) {}

    record R6(String key, long price) {}

    enum State { NEW, PAID }

    record R7(String key, long price, State state) {}

    enum MoreStates { NEW, HELD, PAID }

    record R8(String key, long price, MoreStates state) {}

    record R9(String key, long price, Optional<MoreStates> state) {}

    record R10(@Formerly("key") String name, Optional<MoreStates> state, @Formerly("price") long amount) {}

    record Line(String text, int price) {}

    record ShortLine(String text) {}

    /**
     * A release.
     *
     * @param make makes the value with a number
     * @param isBack whether the release before can take over the collection, if this release has added nothing
     * @param lost fields of the release before that this release gives up
     */
    private record Release<T>(Codec<T> codec, IntFunction<T> make, boolean isBack, String... lost) {}

    private static final List<Release<?>> RELEASES = List.of(
        new Release<>(Codecs.of(R1.class), i -> new R1("o" + i, i), false),
        new Release<>(Codecs.of(R2.class), i -> new R2("o" + i, i, List.of("t")), false),
        new Release<>(Codecs.of(R3.class), i -> new R3("o" + i, i, List.of("t")), false),
        new Release<>(Codecs.of(R4.class), i -> new R4("o" + i, i, List.of("t")), false),
        new Release<>(Codecs.of(R5.class), i -> new R5(List.of("t"), "o" + i, i), true),
        new Release<>(Codecs.of(R6.class), i -> new R6("o" + i, i), true, "R6.tags"),
        new Release<>(Codecs.of(R7.class), i -> new R7("o" + i, i, State.values()[i % 2]), false),
        new Release<>(Codecs.of(R8.class), i -> new R8("o" + i, i, MoreStates.HELD), true),
        new Release<>(Codecs.of(R9.class), i -> new R9("o" + i, i, Optional.of(MoreStates.HELD)), false),
        new Release<>(Codecs.of(R10.class), i -> new R10("o" + i, Optional.of(MoreStates.HELD), i), false));

    @TempDir
    Path folder;
    private int restarts;

    private Store restarted(Store store) {
        Path file = folder.resolve(restarts++ + ".snapshot");
        store.snapshot(file);
        store.close();
        return Store.restore(file, StoreConfig.builder().memoryLimitBytes(64L << 20).build());
    }

    private static <T> Map<Integer, T> all(Store store, Release<T> release) {
        return new TreeMap<>(store.map("map", Codecs.INT, release.codec));
    }

    private static boolean migrated(Store store, Release<?> release, String... lost) {
        try {
            store.names().migrate("map", Codecs.INT, release.codec, lost);
            return true;
        } catch (SchemaException | MalformedException e) {
            return false;
        }
    }

    private <O, N> void roll(Release<O> old, Release<N> next, boolean isUsed) {
        Store store = Store.open();
        for (int i = 0; i < COUNT; i++) {
            store.map("map", Codecs.INT, old.codec).put(i, old.make.apply(i));
        }
        final Map<Integer, O> before = all(store, old);
        store = restarted(store);
        assertTrue(migrated(store, next, next.lost));
        if (isUsed) {
            store.map("map", Codecs.INT, next.codec).put(COUNT, next.make.apply(COUNT));
        }
        final Map<Integer, N> forward = all(store, next);
        store = restarted(store);
        final boolean isBack = migrated(store, old);
        assertEquals(next.isBack && !(isUsed && next.make.apply(0) instanceof R8), isBack);
        if (isBack) {
            Map<Integer, O> back = all(store, old);
            assertEquals(forward.keySet(), back.keySet());
            if (next.lost.length == 0) {
                back.remove(COUNT);
                assertEquals(before, back);
            }
        }
        store = restarted(store);
        assertTrue(migrated(store, next, next.lost));
        assertEquals(forward, all(store, next));
        store.audit();
        store.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachRelease_isRolledBack_withoutLoss(boolean isUsed) {
        for (int i = 1; i < RELEASES.size(); i++) {
            roll(RELEASES.get(i - 1), RELEASES.get(i), isUsed);
        }
    }

    private Store withList() {
        Store store = Store.open();
        store.list("list", Codecs.of(R4.class)).add(new R4("a", 1, List.of()));
        return restarted(store);
    }

    /** The refusals name the fields, and do not advise to give the fields up. */
    @Test
    void refusals_nameTheFields() {
        try (Store store = withList()) {
            Codec<R3> codec = Codecs.of(R3.class);
            String text = assertThrows(IllegalArgumentException.class, () -> store.list("list", codec)).getMessage();
            assertTrue(text.contains("R3.key, R3.price") && !text.contains("migrate"), text);
            text = assertThrows(SchemaException.class, () -> store.names().migrate("list", codec)).getMessage();
            assertTrue(text.contains("R3.key, R3.price") && !text.contains("migrate"), text);
            text = assertThrows(SchemaException.class, () -> store.names().migrate("list", codec, "R3.key"))
                .getMessage();
            assertTrue(text.contains("R3.price") && !text.contains("R3.key"), text);
            assertEquals(List.of(new R4("a", 1, List.of())), List.copyOf(store.list("list", Codecs.of(R4.class))));
        }
    }

    @Test
    void migrate_fieldsThatMayBeLost_areLost() {
        try (Store store = withList()) {
            assertTrue(store.names().migrate("list", Codecs.of(R3.class), "R3.price", "R3.key"));
            assertEquals(0, store.list("list", Codecs.of(R3.class)).get(0).cents());
        }
    }

    /** Fields inside of keys, lists and optional values count as well. */
    @Test
    void migrate_nestedFields_areNamed() {
        Codec<List<Optional<Line>>> lines = Codecs.list(Codecs.optional(Codecs.of(Line.class)));
        Store store = Store.open();
        store.map("map", Codecs.of(Line.class), lines).put(new Line("a", 1), List.of(Optional.of(new Line("b", 2))));
        try (Store next = restarted(store)) {
            String text = assertThrows(SchemaException.class, () -> next.names().migrate("map",
                Codecs.of(ShortLine.class), Codecs.list(Codecs.optional(Codecs.of(ShortLine.class))))).getMessage();
            assertTrue(text.contains("ShortLine.price, List[].price"), text);
            assertEquals(1, next.map("map", Codecs.of(Line.class), lines).size());
        }
    }
}
