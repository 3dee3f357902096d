package io.teff.engine.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A type whose values are stored as those of another type.
 *
 * @param <T> the type
 * @param <R> the type that is stored
 * @param type the type
 * @param stored the type that is stored
 * @param to makes what is stored
 * @param from makes a value again, or throws
 */
record Mapping<T, R>(Class<T> type, TypeRef stored, Function<T, R> to, Function<R, T> from) {
    private static final Map<Class<?>, Mapping<?, ?>> ALL = Stream.of(
        new Mapping<BigInteger, byte[]>(BigInteger.class, TypeRef.of(byte[].class), BigInteger::toByteArray,
            BigInteger::new),
        new Mapping<BigDecimal, Decimal>(BigDecimal.class, TypeRef.of(Decimal.class), value ->
            new Decimal(value.scale(), value.unscaledValue().toByteArray()), stored ->
            new BigDecimal(new BigInteger(stored.unscaled()), stored.scale())),
        new Mapping<ZoneId, String>(ZoneId.class, TypeRef.of(String.class), ZoneId::getId, ZoneId::of),
        new Mapping<ZonedDateTime, Zoned>(ZonedDateTime.class, TypeRef.of(Zoned.class), value ->
            new Zoned(value.toLocalDateTime(), value.getOffset(), value.getZone().getId()), stored ->
            ZonedDateTime.ofStrict(stored.dateTime(), stored.offset(), ZoneId.of(stored.zone()))),
        new Mapping<OptionalInt, Optional<Integer>>(OptionalInt.class, optional(Integer.class), value ->
            value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty(), stored ->
            stored.map(OptionalInt::of).orElseGet(OptionalInt::empty)),
        new Mapping<OptionalLong, Optional<Long>>(OptionalLong.class, optional(Long.class), value ->
            value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty(), stored ->
            stored.map(OptionalLong::of).orElseGet(OptionalLong::empty)),
        new Mapping<OptionalDouble, Optional<Double>>(OptionalDouble.class, optional(Double.class), value ->
            value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty(), stored ->
            stored.map(OptionalDouble::of).orElseGet(OptionalDouble::empty)))
        .collect(Collectors.toMap(Mapping::type, Function.identity()));

    /** Of a {@link BigDecimal}. */
    private record Decimal(int scale, byte[] unscaled) {}

    /** Of a {@link ZonedDateTime}. */
    private record Zoned(LocalDateTime dateTime, ZoneOffset offset, String zone) {}

    private static TypeRef optional(Class<?> value) {
        return new TypeRef(Optional.class, List.of(TypeRef.of(value)));
    }

    /** What is stored of a value. */
    R makeStored(T value) {
        return Objects.requireNonNull(to.apply(value), () -> "what is stored of a " + type.getName());
    }

    /** The value of what is stored. */
    T makeFrom(R value) {
        return Objects.requireNonNull(from.apply(value), () -> "a " + type.getName());
    }

    static @Nullable Mapping<?, ?> of(Class<?> type) {
        return ALL.get(type);
    }

    /** All types that have one. */
    static Set<Class<?>> types() {
        return ALL.keySet();
    }

    /** One that makes values of what is stored, and nothing else. */
    static Mapping<Object, Object> reading(UnaryOperator<Object> from) {
        return new Mapping<>(Object.class, TypeRef.of(Object.class), value -> {
            throw new UnsupportedOperationException();
        }, from::apply);
    }
}
