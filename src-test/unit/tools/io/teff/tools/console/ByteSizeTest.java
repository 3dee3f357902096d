package io.teff.tools.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "17, 17", "1k, 1024", "64KiB, 65536", "512m, 536870912",
        "4G, 4294967296", "2tb, 2199023255552"})
    void convert_text_isTheSizeInBytes(String text, long bytes) {
        assertEquals(bytes, new ByteSizeConverter().convert(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "g", "-1", "1.5g", "4 g", "4x", "999999999t", "99999999999999999999"})
    void convert_anythingElse_isRefused(String text) {
        assertThrows(TypeConversionException.class, () -> new ByteSizeConverter().convert(text));
    }
}
