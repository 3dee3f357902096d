package io.teff.engine.codec.schema;

import io.teff.engine.codec.type.Conversion;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A type whose values are stored as values of another type.
 *
 * @param stored the stored type
 * @param conversion from values of the type to stored ones and back
 */
record Mapping(TypeRef stored, Conversion<?, ?> conversion) {
    private static final Map<Class<?>, Mapping> ALL = Stream.of(
        new Mapping(TypeRef.of(byte[].class), new Conversion<BigInteger, byte[]>(BigInteger.class,
            BigInteger::toByteArray, BigInteger::new)),
        new Mapping(TypeRef.of(long[].class), new Conversion<BitSet, long[]>(BitSet.class, BitSet::toLongArray,
            Mapping::bits)),
        new Mapping(TypeRef.of(Decimal.class), new Conversion<BigDecimal, Decimal>(BigDecimal.class, value ->
            new Decimal(value.scale(), value.unscaledValue().toByteArray()), stored ->
            new BigDecimal(new BigInteger(stored.unscaled()), stored.scale()))),
        new Mapping(TypeRef.of(String.class), new Conversion<ZoneId, String>(ZoneId.class, ZoneId::getId,
            StoredTimes::zone)),
        new Mapping(TypeRef.of(Zoned.class), new Conversion<ZonedDateTime, Zoned>(ZonedDateTime.class, value ->
            new Zoned(value.toLocalDateTime(), value.getOffset(), value.getZone().getId()), stored ->
            StoredTimes.dateTime(stored.dateTime(), stored.offset(), stored.zone()))),
        new Mapping(optional(Integer.class), new Conversion<OptionalInt, Optional<Integer>>(OptionalInt.class,
            value -> value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty(),
            stored -> stored.map(OptionalInt::of).orElseGet(OptionalInt::empty))),
        new Mapping(optional(Long.class), new Conversion<OptionalLong, Optional<Long>>(OptionalLong.class,
            value -> value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty(),
            stored -> stored.map(OptionalLong::of).orElseGet(OptionalLong::empty))),
        new Mapping(optional(Double.class), new Conversion<OptionalDouble, Optional<Double>>(OptionalDouble.class,
            value -> value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty(),
            stored -> stored.map(OptionalDouble::of).orElseGet(OptionalDouble::empty))))
        .collect(Collectors.toMap(mapping -> mapping.conversion().type(), Function.identity()));

    /** Stored form of a {@link BigDecimal}. */
    private record Decimal(int scale, byte[] unscaled) {}

    /** Stored form of a {@link ZonedDateTime}. */
    private record Zoned(LocalDateTime dateTime, ZoneOffset offset, String zone) {}

    private static BitSet bits(long[] words) {
        if (words.length > 0 && words[words.length - 1] == 0) {
            throw new IllegalArgumentException("bits whose last word is zero");
        }
        return BitSet.valueOf(words);
    }

    private static TypeRef optional(Class<?> value) {
        return new TypeRef(Optional.class, List.of(TypeRef.of(value)));
    }

    /** Returns the mapping of a type of the JDK, or null if it has none. */
    static @Nullable Mapping of(Class<?> type) {
        return ALL.get(type);
    }

    /** Returns all types of the JDK that have a mapping. */
    static Set<Class<?>> types() {
        return ALL.keySet();
    }
}
