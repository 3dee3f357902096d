package io.teff.test.bench.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The output of programs in C is read as they print it. */
final class ToolOutputTest {
    private static final String LATENCY = """
        ---------------------------------------------------------------------------------------
         GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:99:00:01
        ---------------------------------------------------------------------------------------
         #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   \
        99% percentile[usec]   99.9% percentile[usec]\s
        Correlation coefficient r^2: 0.979991 < 0.99
         8       300          4.51           97.25        5.60     \t       6.12        \t1.20   \t\t11.50   \t45.75
        ---------------------------------------------------------------------------------------
        """;
    private static final String BANDWIDTH = """
         GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:99:00:01
        ---------------------------------------------------------------------------------------
         #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
         65536      300              700.00               500.00   \t\t   0.008000
        ---------------------------------------------------------------------------------------
        """;
    private static final String UCX = """
        +--------------+--------------+------------------------------+---------------------+-----------------------+
        |              |              |        latency (usec)        |   bandwidth (MB/s)  |  message rate (msg/s) |
        +--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+
        |    Stage     | # iterations | 50.0%ile | average | overall |  average |  overall |  average  |  overall  |
        +--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+
        [thread 0]               5000      0.500    20.888    20.888        0.22       0.22       30617       30617
        Final:                 10000      0.536    28.888    28.888        1.00       2.00       34617       40000
        """;

    @Test
    void perftest_latency_hasPercentiles() {
        assertEquals(Map.of("p50 us", 5.6, "p99 us", 11.5, "p99.9 us", 45.75, "max us", 97.25),
            ToolOutput.perftest(LATENCY));
    }

    @Test
    void perftest_bandwidth_hasRateAndBytes() {
        assertEquals(Map.of("M/s", 0.008, "MB/s", 500.0 * (1 << 20) / 1e6), ToolOutput.perftest(BANDWIDTH));
    }

    @Test
    void perftest_unknownFrequency_hasNoFigure() {
        final String unknown = LATENCY.replaceAll("(?m)^ 8 .*$",
            " 8       300          inf            inf          inf      \t       inf       \t-nan   \t\tinf  \t\tinf");
        assertEquals(Map.of(), ToolOutput.perftest(unknown));
        assertEquals(Map.of(), ToolOutput.perftest(BANDWIDTH.replaceAll("(?m)^ 65536 .*$",
            " 65536      300              0.00               0.00   \t\t   0.000000")));
    }

    @Test
    void perftest_otherText_hasNoFigure() {
        assertEquals(Map.of(), ToolOutput.perftest("Unable to open file descriptor\n8 9 10"));
    }

    @Test
    void ucx_finalLine_hasMedianAndOverall() {
        assertEquals(Map.of("p50 us", 0.536, "M/s", 0.04, "K/s", 40.0, "MB/s", 2.0 * (1 << 20) / 1e6),
            ToolOutput.ucx(UCX));
    }

    @Test
    void ucx_noFinalLine_hasNoFigure() {
        assertEquals(Map.of(), ToolOutput.ucx(UCX.replace("Final:", "Later:")));
    }

    @Test
    void loop_lines_haveNumbersAndNames() {
        assertEquals(Map.of("p50 us", 1.25, "K/s", 800.0), ToolOutput.loop("1.2500 p50 us\nwords 3\n800.0000 K/s\n"));
    }
}
