package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: amounts are printed in the unit that suits them, without rounding up. */
final class UnitsTest {
    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1 KiB", "1536, 1.5 KiB", "1048575, 1023.9 KiB", "4194304, 4 MiB",
        "1610612736, 1.5 GiB", "1099511627776, 1 TiB", "9223372036854775807, 7.9 EiB"})
    void bytes_areInTheirUnit(long bytes, String text) {
        assertEquals(text, Units.bytes(bytes));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 ns", "999, 999 ns", "1000, 1 us", "1500000, 1.5 ms", "100000000, 100 ms", "10000000000, 10 s",
        "2550000000, 2.5 s", "9223372036854775807, without a limit"})
    void times_areInTheirUnit(long ns, String text) {
        assertEquals(text, Units.time(ns));
    }
}
