package io.teff.test.bench.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** Tests of the reports, and of the statistics behind them. */
final class RdmaFiguresTest {
    private static final RdmaCase TRIP = new RdmaCase(RdmaPattern.PING_PONG, 8);
    private static final RdmaCase LONG_TRIP = new RdmaCase(RdmaPattern.PING_PONG, 4096);
    private static final RdmaCase WRITES = new RdmaCase(RdmaPattern.WRITE_RATE, 64 << 10);
    private static final List<RdmaCase> CASES = List.of(TRIP, LONG_TRIP, WRITES);

    private static RdmaFigures figures() {
        final RdmaFigures figures = new RdmaFigures(CASES, 3);
        for (double drift : new double[] {1, 5, 2}) {
            figures.add(RdmaKind.LOOP_C, outcome(10 * drift, 100));
            figures.add(RdmaKind.TEFF_VERBS, outcome(12 * drift, 98));
        }
        figures.caveats().add(Caveats.of(new Devices(new Devices.Device("rxe0", 1), new Devices.Device("rxe1", 1)), 1));
        figures.leftOut().add("perftest: it is missing");
        return figures;
    }

    private static Outcome outcome(double microseconds, double megabytes) {
        return new Outcome(Map.of(TRIP.prefix() + "p50 us", microseconds, LONG_TRIP.prefix() + "p50 us",
            2 * microseconds, WRITES.prefix() + "MB/s", megabytes), null);
    }

    private static List<String> lines(String text) {
        return text.lines().map(line -> line.replaceAll(" +", " ")).toList();
    }

    @Test
    void table_twoContenders_hasMediansCautionsAndBars() {
        final List<String> lines = lines(figures().table(Sample.MACHINE));
        assertTrue(lines.contains("Teff verbs 24.0 - - - - - -"), lines::toString);
        assertTrue(lines.contains("left out: perftest: it is missing"), lines::toString);
        assertTrue(lines.contains("caution: The devices rxe0 and rxe1 are software: figures on them compare programs "
            + "with each other, and say nothing about RDMA hardware."), lines::toString);
        assertTrue(lines.contains("1.1 x ping-pong in C / verbs 0.92 at least 1.0: MISSED"), lines::toString);
        assertTrue(lines.contains("writes of 64 KiB / 0.97 x in C 1.01 at least 1.0: met"), lines::toString);
    }

    @Test
    void csv_twoContenders_hasALinePerFigure() {
        final List<String> lines = figures().csv().lines().toList();
        assertEquals(7, lines.size(), lines::toString);
        assertEquals("contender,pattern,bytes,figure,median,spread", lines.getFirst());
        assertEquals("loop-c,ping-pong,8,p50 us,20.0,1.0", lines.get(1));
    }

    @Test
    void picture_twoLengths_isWellFormedWithALineEach() throws Exception {
        final String svg = figures().picture(RdmaPattern.PING_PONG);
        final Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertEquals(2, document.getElementsByTagName("polyline").getLength());
        assertEquals(4, document.getElementsByTagName("circle").getLength());
        assertFalse(svg.contains("NaN"), svg);
        assertEquals("", figures().picture(RdmaPattern.WRITE_RATE));
    }

    @Test
    void addAll_figuresFromElsewhere_areTheSame() throws IOException {
        final RdmaFigures copy = new RdmaFigures(CASES, 3);
        copy.addAll(JSON.std.mapFrom(figures().json(Sample.MACHINE)));
        assertEquals(figures().csv(), copy.csv());
        assertTrue(copy.isComplete());
        final String text = copy.table(Sample.MACHINE);
        assertTrue(text.contains("left out: in the guest: perftest: it is missing"), text);
        assertTrue(text.contains("caution: Contenders on devices ran in a guest: "), text);
    }

    @Test
    void addAll_nothing_isAFailure() {
        final RdmaFigures figures = new RdmaFigures(CASES, 3);
        figures.addAll(Map.of());
        assertFalse(figures.isComplete());
    }

    @Test
    void figures_latencies_areHalvedForPingPongAlone() {
        final Histogram histogram = new Histogram(3);
        histogram.recordValue(2000);
        final Measured measured = new Measured(histogram, 1, 4000, 0, 24, 100);
        assertEquals(1.0, (Double) measured.figures(TRIP).get(TRIP.prefix() + "p50 us"), 0.01);
        final RdmaCase read = new RdmaCase(RdmaPattern.READ_LATENCY, 8);
        assertEquals(2.0, (Double) measured.figures(read).get(read.prefix() + "p50 us"), 0.01);
        assertEquals(24.0, measured.figures(read).get(read.prefix() + "alloc B"));
        assertEquals(100.0, measured.figures(WRITES).get(WRITES.prefix() + "wire B"));
        assertEquals(List.copyOf(WRITES.figures()), List.copyOf(measured.figures(WRITES).keySet()));
    }
}
