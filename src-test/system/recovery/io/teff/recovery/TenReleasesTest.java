package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.tier.FullTier;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a program lives with one data set through ten releases, each of which changes its types. Method: each release
 * is a program with other classes in a JVM of its own. It migrates what it must, checks the data of all releases
 * before, adds its own, and ends by a close or is killed; two are also killed in the middle of their migration.
 */
@Tag("system")
@Tag("processes")
@FullTier("280 s: ten releases of a program are compiled and run. EvolutionTest reads values of other versions, "
    + "and MigrationTest opens collections of a former one.")
final class TenReleasesTest {
    private static final int KILLED = 7;
    private static final String FIRST_EVENTS = """
        sealed interface Event permits Placed, Cancelled {}
        record Placed(String id) implements Event {}
        record Cancelled(String id, int code) implements Event {}
        """;
    private static final String LATER_EVENTS = """
        sealed interface Event permits Archived, Placed, Revoked {}
        record Archived(String id) implements Event {}
        record Placed(String id) implements Event {}
        @Formerly("Cancelled") record Revoked(String id, int code) implements Event {}
        """;

    /**
     * One release.
     *
     * @param rewrites whether collections must be migrated
     * @param state the enum
     * @param events the sealed type
     * @param order fields of the record
     * @param values values of the fields, made of {@code id}, {@code cents} and {@code state}
     * @param shown cents and state of an order {@code o}
     */
    private record Release(boolean rewrites, String state, String events, String order, String values, String shown) {}

    private static final List<Release> RELEASES = List.of(
        new Release(false, "NEW, PAID", FIRST_EVENTS, "String id, int cents, State state", "id, cents, state",
            "o.cents() + \" \" + o.state()"),
        // classes are renamed: they are in another class
        new Release(false, "NEW, PAID", FIRST_EVENTS, "String id, int cents, State state", "id, cents, state",
            "o.cents() + \" \" + o.state()"),
        // a field is added
        new Release(true, "NEW, PAID", FIRST_EVENTS, "String id, int cents, State state, List<String> tags",
            "id, cents, state, List.of(id)", "o.cents() + \" \" + o.state()"),
        // a constant is added in the middle
        new Release(true, "NEW, HELD, PAID", FIRST_EVENTS, "String id, int cents, State state, List<String> tags",
            "id, cents, state, List.of(id)", "o.cents() + \" \" + o.state()"),
        // a number becomes wider
        new Release(true, "NEW, HELD, PAID", FIRST_EVENTS, "String id, long cents, State state, List<String> tags",
            "id, cents, state, List.of(id)", "o.cents() + \" \" + o.state()"),
        // fields are reordered, one is removed
        new Release(true, "NEW, HELD, PAID", FIRST_EVENTS, "State state, List<String> tags, long cents",
            "state, List.of(id), cents", "o.cents() + \" \" + o.state()"),
        // a field and a constant are renamed, which needs nothing, and a subclass, and one is added before the others
        new Release(true, "NEW, HELD, @Formerly(\"PAID\") SETTLED", LATER_EVENTS,
            "State state, List<String> tags, @Formerly(\"cents\") long price", "state, List.of(id), cents",
            "o.price() + \" \" + (o.state() == State.SETTLED ? \"PAID\" : o.state())"),
        // a reference becomes optional, a list a set
        new Release(true, "NEW, HELD, @Formerly(\"PAID\") SETTLED", LATER_EVENTS,
            "Optional<State> state, Set<String> tags, long price", "Optional.of(state), Set.of(id), cents",
            "o.price() + \" \" + (o.state().get() == State.SETTLED ? \"PAID\" : o.state().get())"),
        // a constant is added at the end, which needs nothing
        new Release(false, "NEW, HELD, @Formerly(\"PAID\") SETTLED, LOST", LATER_EVENTS,
            "Optional<State> state, Set<String> tags, long price", "Optional.of(state), Set.of(id), cents",
            "o.price() + \" \" + (o.state().get() == State.SETTLED ? \"PAID\" : o.state().get())"),
        // everything at once: constants reordered, a field moved, one with a collection of records added
        new Release(true, "LOST, @Formerly({\"PAID\", \"SETTLED\"}) DONE, HELD, NEW", LATER_EVENTS,
            "List<Event> events, @Formerly({\"cents\", \"price\"}) long amount, Optional<State> state",
            "List.of(new Placed(id)), cents, Optional.of(state)",
            "o.amount() + \" \" + (o.state().get() == State.DONE ? \"PAID\" : o.state().get())"));

    private static final String PROGRAM = """
        import io.teff.engine.*;
        import io.teff.engine.codec.*;
        import io.teff.engine.codec.schema.*;
        import io.teff.recovery.*;
        import java.nio.file.Path;
        import java.util.*;

        public class Release$NUMBER {
            enum State { $STATE }
            $EVENTS
            record Order($ORDER) {
                static int left = Integer.getInteger("left", Integer.MAX_VALUE);
                Order {
                    if (--left == 0) {
                        Runtime.getRuntime().halt($KILLED);
                    }
                }
            }
            static Order order(String id, int cents, State state) { return new Order($VALUES); }
            static String shown(Order o) { return $SHOWN; }
            static State state(int i) { return State.values()[i % 2 == 0 ? $NEW : $PAID]; }
            static String expected(int i) { return i * 7 + " " + (i % 2 == 0 ? "NEW" : "PAID"); }
            static void same(Object expected, Object actual) {
                if (!expected.equals(actual)) {
                    throw new AssertionError("expected " + expected + ", but was " + actual);
                }
            }
            public static void main(String[] folder) {
                DurableStore durable = DurableStore.open(Path.of(folder[0]));
                Store store = durable.store();
                Codec<Order> codec = Codecs.of(Order.class);
                Codec<Event> events = Codecs.of(Event.class);
                Names names = store.names();
                if ($NUMBER > 1) {
                    boolean any = names.migrate("orders", Codecs.STRING, codec, "Order.id", "Order.tags");
                    any |= names.migrate("sorted", Codecs.STRING, codec, "Order.id", "Order.tags");
                    any |= names.migrate("queue", codec, "Order.id", "Order.tags");
                    any |= names.migrate("list", codec, "Order.id", "Order.tags");
                    any |= names.migrate("events", events);
                    any |= names.migrate("states", Codecs.of(State.class), Codecs.INT);
                    same($REWRITES, any);
                }
                Map<String, Order> orders = store.map("orders", Codecs.STRING, codec);
                Map<String, Order> sorted = store.sortedMap("sorted", Codecs.STRING, codec);
                Queue<Order> queue = store.queue("queue", codec);
                List<Order> list = store.list("list", codec);
                List<Event> log = store.list("events", events);
                Map<State, Integer> states = store.map("states", Codecs.of(State.class), Codecs.INT);
                int count = ($NUMBER - 1) * 50;
                Iterator<Order> queued = queue.iterator();
                same(List.of(count, count, count, count),
                    List.of(orders.size(), sorted.size(), list.size(), log.size()));
                for (int i = 0; i < count; i++) {
                    same(expected(i), shown(orders.get("o" + i)));
                    same(expected(i), shown(sorted.get("o" + i)));
                    same(expected(i), shown(queued.next()));
                    same(expected(i), shown(list.get(i)));
                    same(true, log.get(i).toString().contains("id=e" + i + (i % 2 == 0 ? "]" : ", code=5]")));
                }
                same(false, queued.hasNext());
                if (count > 0) {
                    same(Map.of(state(0), count, state(1), -count), states);
                }
                for (int i = count; i < count + 50; i++) {
                    Order order = order("o" + i, i * 7, state(i));
                    orders.put("o" + i, order);
                    sorted.put("o" + i, order);
                    queue.add(order);
                    list.add(order);
                    log.add(i % 2 == 0 ? new Placed("e" + i) : new $SECOND("e" + i, 5));
                }
                states.put(state(0), count + 50);
                states.put(state(1), -count - 50);
                store.audit();
                if ($NUMBER % 2 == 0) {
                    Runtime.getRuntime().halt(0);
                }
                durable.close();
            }
        }
        """;

    @TempDir
    Path folder;

    private static String program(int number, Release release) {
        List<String> constants = List.of(release.state.replaceAll("@Formerly\\([^)]*\\) ", "").split(", "));
        int paid = Math.max(constants.indexOf("PAID"),
            Math.max(constants.indexOf("SETTLED"), constants.indexOf("DONE")));
        return PROGRAM.replace("$NUMBER", String.valueOf(number)).replace("$STATE", release.state)
            .replace("$EVENTS", release.events).replace("$ORDER", release.order).replace("$VALUES", release.values)
            .replace("$SHOWN", release.shown).replace("$NEW", String.valueOf(constants.indexOf("NEW")))
            .replace("$PAID", String.valueOf(paid)).replace("$REWRITES", String.valueOf(release.rewrites))
            .replace("$KILLED", String.valueOf(KILLED))
            .replace("$SECOND", release.events.contains("Revoked") ? "Revoked" : "Cancelled");
    }

    private ChildProcess.Result run(int number, String... flags) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(flags));
        all.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
            folder + File.pathSeparator + ChildProcess.everything(), "Release" + number,
            folder.resolve("data").toString()));
        return ChildProcess.java(folder, all.toArray(String[]::new));
    }

    /** Compiles all releases at once: no type is in two of them. */
    private void compile() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString(), "-cp",
            ChildProcess.everything()));
        for (int number = 1; number <= RELEASES.size(); number++) {
            Path source = folder.resolve("Release" + number + ".java");
            Files.writeString(source, program(number, RELEASES.get(number - 1)));
            arguments.add(source.toString());
        }
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output);
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        assertEquals(0, javac.run(writer, writer, arguments.toArray(String[]::new)), output::toString);
    }

    @Test
    void data_ofEachRelease_isReadByAllLater() throws IOException, InterruptedException {
        compile();
        for (int number = 1; number <= RELEASES.size(); number++) {
            if (number == 3 || number == RELEASES.size()) {     // killed in the middle of the second collection
                ChildProcess.Result killed = run(number, "-Dleft=" + (number - 1) * 75);
                assertEquals(KILLED, killed.exitCode(), killed.output() + killed.errors());
            }
            ChildProcess.Result result = run(number);
            assertEquals(0, result.exitCode(), "release " + number + ": " + result.output() + result.errors());
        }
        assertTrue(Files.exists(folder.resolve("data")));
    }
}
