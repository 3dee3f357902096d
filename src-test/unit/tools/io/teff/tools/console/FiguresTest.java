package io.teff.tools.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FiguresTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "999, 999", "1000, 1.0k", "9949, 9.9k", "9950, 10k", "999499, 999k", "999500, 1.0M",
        "31000000, 31M", "9223372036854775807, 9223P"})
    void compact_isShort(long value, String text) {
        assertEquals(text, Figures.compact(value));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1.0 KiB", "1048575, 1024.0 KiB", "1048576, 1.0 MiB",
        "3221225472, 3.00 GiB"})
    void bytes_haveTheirUnit(long value, String text) {
        assertEquals(text, Figures.bytes(value));
    }
}
