package io.teff.cluster.figure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.FigureHistory.Span;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.FiguresAnswer;
import io.teff.cluster.message.FiguresRequest;
import io.teff.cluster.message.LinesRequest;
import io.teff.cluster.message.RestartRequest;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Goal: a node keeps an hour and a day of figures in bounded memory, and does not collect anew for each question. */
final class FigureKeeperTest {
    private final AtomicLong nowNs = new AtomicLong(TimeUnit.SECONDS.toNanos(1));
    private final AtomicLong collections = new AtomicLong();
    private final Clock clock = nowNs::get;
    private final NodeLog log = new NodeLog(System.getLogger("io.teff.test.figures"), clock);
    private final FigureKeeper keeper = new FigureKeeper(to -> to.set(Figure.OPERATIONS, collections.incrementAndGet()),
        log, Platform.SYSTEM.withClock(clock));

    private List<NodeFigures> moments(Span span) {
        return keeper.figures(new FiguresRequest(span.ordinal())).moments();
    }

    private void keep(int count) {
        for (int i = 0; i < count; i++) {
            keeper.keep();
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(10));
        }
    }

    @Test
    void hour_hasTheLast360Moments_inTheirOrder() {
        keep(1_000);
        List<NodeFigures> hour = moments(Span.HOUR);
        assertEquals(360, hour.size());
        assertEquals(641, hour.getFirst().get(Figure.OPERATIONS));
        assertEquals(1_000, hour.getLast().get(Figure.OPERATIONS));
        for (int i = 1; i < hour.size(); i++) {
            assertEquals(10_000, hour.get(i).atMs() - hour.get(i - 1).atMs());
        }
    }

    @Test
    void day_hasAMomentEachFiveMinutes() {
        keep(30 * 300);
        List<NodeFigures> day = moments(Span.DAY);
        assertEquals(288, day.size());
        assertEquals(300_000, day.get(1).atMs() - day.getFirst().atMs());
        assertEquals(299 * 30 + 1, day.getLast().get(Figure.OPERATIONS));
    }

    @Test
    void now_isCollectedOnceASecond_howeverManyAsk() {
        for (int i = 0; i < 100; i++) {
            assertEquals(1, keeper.now().get(Figure.OPERATIONS));
        }
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1) + 1);
        assertEquals(2, keeper.now().get(Figure.OPERATIONS));
    }

    @Test
    void failedCollection_isLogged_andTheNextOneIsKept() {
        FigureKeeper failing = new FigureKeeper(to -> {
            if (collections.incrementAndGet() == 1) {
                throw new IllegalStateException("no figures");
            }
        }, log, Platform.SYSTEM.withClock(clock));
        failing.keep();
        failing.keep();
        assertEquals(1, failing.figures(new FiguresRequest(Span.HOUR.ordinal())).moments().size());
        assertEquals("1970-01-01T00:00:01Z ERROR fault: collecting figures: no figures", log.lines(9).getLast());
    }

    @Test
    void answer_ofAnotherVersion_hasTheKnownFigures() {
        FiguresAnswer shorter = new FiguresAnswer(5, 2, new long[] {3, 4}, new long[] {10, 11, 20, 21});
        NodeFigures last = shorter.moments().getLast();
        assertArrayEquals(new long[] {20, 21, NodeFigures.ABSENT}, new long[] {last.get(Figure.values()[0]),
            last.get(Figure.values()[1]), last.get(Figure.values()[2])});
        int more = Figure.values().length + 7;
        assertEquals(1, new FiguresAnswer(5, more, new long[] {3}, new long[more]).moments().size());
        assertThrows(MalformedException.class, () -> new FiguresAnswer(5, 2, new long[] {3}, new long[3]).moments());
        assertThrows(MalformedException.class, () -> new FiguresAnswer(5, -1, new long[0], new long[0]).moments());
    }

    @Test
    void answer_travelsUnchanged() {
        keep(3);
        FiguresAnswer answer = keeper.figures(new FiguresRequest(Span.HOUR.ordinal()));
        Schema<FiguresAnswer> schema = Schema.of(FiguresAnswer.class);
        Output out = Output.growing(64);
        schema.write(answer, out);
        byte[] bytes = out.toByteArray();
        FiguresAnswer read = schema.read(new Input(bytes, 0, bytes.length));
        assertEquals(answer.moments().toString(), read.moments().toString());
    }

    @Test
    void lines_areTheLastOnes_withTheirTimes_andBounded() {
        for (int i = 0; i < 300; i++) {
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            log.log(NodeEvent.NODE, "line " + i + "\nof two");
        }
        List<String> lines = keeper.lines(new LinesRequest(Integer.MAX_VALUE)).lines();
        assertEquals(256, lines.size());
        assertEquals("1970-01-01T00:05:01Z INFO node: line 299 | of two", lines.getLast());
        assertEquals(List.of(), keeper.lines(new LinesRequest(-1)).lines());
        log.log(NodeEvent.NODE, "x".repeat(5_000));
        assertEquals(1_000, keeper.lines(new LinesRequest(1)).lines().getFirst().length());
    }

    @Test
    void process_hasItsFigures() {
        NodeFigures.Builder to = new NodeFigures.Builder();
        new ProcessFigures(Path.of("").toAbsolutePath()).read(to);
        NodeFigures figures = to.build(1);
        for (Figure figure : List.of(Figure.PROCESS_CPU, Figure.JVM_HEAP_USED, Figure.JVM_THREADS, Figure.DISK_SIZE,
            Figure.MACHINE_PROCESSORS, Figure.MACHINE_MEMORY)) {
            assertTrue(figures.get(figure) > 0, () -> figure + " in " + figures);
        }
        assertTrue(figures.get(Figure.DISK_FREE) <= figures.get(Figure.DISK_SIZE), figures::toString);
    }

    @Test
    void together_sumsCountersAndRooms_andTakesTheWorstOfOthers() {
        NodeFigures one = new NodeFigures.Builder().set(Figure.OPERATIONS, 5).set(Figure.LEASE_LEFT, 300)
            .set(Figure.MACHINE_LOAD, 100).build(1);
        NodeFigures other = new NodeFigures.Builder().set(Figure.OPERATIONS, 7).set(Figure.LEASE_LEFT, 200)
            .set(Figure.STORE_CHUNKS, 9).build(2);
        assertEquals("2 ms: machine.load=100 store.chunks=9 operations=12 lease.left=200", one.with(other).toString());
    }

    @Test
    void restart_withoutAManager_orOfAnotherProcess_isRefused() {
        AtomicInteger ends = new AtomicInteger();
        assertTrue(keeper.restart(new RestartRequest(7)).refusal().contains("--managed"));
        keeper.onRestart(7, ends::incrementAndGet);
        assertEquals("process 6 has ended; process 7 runs now", keeper.restart(new RestartRequest(6)).refusal());
        assertEquals(0, ends.get());
        assertEquals("", keeper.restart(new RestartRequest(7)).refusal());
        assertEquals(1, ends.get());
    }
}
