package io.teff.test.bench.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every library restores every kind of value as an equal one; otherwise the figures would be meaningless. */
final class CodecKindTest {
    @ParameterizedTest
    @EnumSource(CodecKind.class)
    void everyValue_comesBackEqual(CodecKind codec) {
        for (ShapeKind shape : ShapeKind.values()) {
            Trip trip = codec.trip(shape);
            assertTrue(trip.prepare() > 0);
            List<Object> values = shape.samples();
            for (int round = 0; round < 2; round++) {
                for (Object value : values) {
                    Object expected = codec == CodecKind.PROTOBUF ? Messages.of(value) : value;
                    assertEquals(expected, trip.readNext(), () -> codec + " " + shape);
                }
                for (int i = 0; i < values.size(); i++) {
                    assertTrue(trip.writeNext() > 0);
                }
            }
        }
    }
}
