package io.teff.test.bench.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class NamedTest {
    private enum Colour implements Named {
        RED, DARK_BLUE
    }

    @Test
    void id_ofConstant_isWrittenAsOnACommandLine() {
        assertEquals(List.of("red", "dark-blue"), Named.ids(Colour.values()));
    }

    @Test
    void of_name_isItsConstant() {
        assertEquals(Optional.of(Colour.DARK_BLUE), Named.of(Colour.values(), "dark-blue"));
        assertEquals(Optional.empty(), Named.of(Colour.values(), "DARK_BLUE"));
        assertEquals(Optional.empty(), Named.of(Colour.values(), "dark"));
    }
}
