package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.bytes.LittleEndian;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Codecs of types of the JDK whose values have a fixed size; {@code docs/OBJECTS.md} has their bytes. */
public final class FixedCodecs {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int DATE_BYTES = 6;
    private static final int TIME_BYTES = Long.BYTES;
    private static final int OFFSET_BYTES = Integer.BYTES;
    private static final int MONTH_AT = Integer.BYTES;
    private static final int DAY_AT = MONTH_AT + 1;

    private static final Map<Class<?>, Standard<?>> ALL = Stream.of(
        new Standard<>(UUID.class, 2 * Long.BYTES, FixedCodecs::putUuid, (array, at, in) ->
            new UUID(LittleEndian.getLong(array, at), LittleEndian.getLong(array, at + Long.BYTES))),
        new Standard<>(Instant.class, Long.BYTES + Integer.BYTES, (value, array, at) ->
            putSeconds(value.getEpochSecond(), value.getNano(), array, at), (array, at, in) ->
            Instant.ofEpochSecond(LittleEndian.getLong(array, at), getNano(array, at + Long.BYTES, in))),
        new Standard<>(Duration.class, Long.BYTES + Integer.BYTES, (value, array, at) ->
            putSeconds(value.getSeconds(), value.getNano(), array, at), (array, at, in) ->
            Duration.ofSeconds(LittleEndian.getLong(array, at), getNano(array, at + Long.BYTES, in))),
        new Standard<>(LocalDate.class, DATE_BYTES, FixedCodecs::putDate, (array, at, in) -> getDate(array, at)),
        new Standard<>(LocalTime.class, TIME_BYTES, FixedCodecs::putTime, (array, at, in) -> getTime(array, at)),
        new Standard<>(LocalDateTime.class, DATE_BYTES + TIME_BYTES, FixedCodecs::putDateTime, (array, at, in) ->
            getDateTime(array, at)),
        new Standard<>(ZoneOffset.class, OFFSET_BYTES, FixedCodecs::putOffset, (array, at, in) -> getOffset(array, at)),
        new Standard<>(OffsetDateTime.class, DATE_BYTES + TIME_BYTES + OFFSET_BYTES, (value, array, at) -> {
            putDateTime(value.toLocalDateTime(), array, at);
            putOffset(value.getOffset(), array, at + DATE_BYTES + TIME_BYTES);
        }, (array, at, in) -> OffsetDateTime.of(getDateTime(array, at),
            getOffset(array, at + DATE_BYTES + TIME_BYTES))),
        new Standard<>(OffsetTime.class, TIME_BYTES + OFFSET_BYTES, (value, array, at) -> {
            putTime(value.toLocalTime(), array, at);
            putOffset(value.getOffset(), array, at + TIME_BYTES);
        }, (array, at, in) -> OffsetTime.of(getTime(array, at), getOffset(array, at + TIME_BYTES))),
        new Standard<>(Year.class, Integer.BYTES, (value, array, at) ->
            LittleEndian.putInt(array, at, value.getValue()), (array, at, in) ->
            Year.of(LittleEndian.getInt(array, at))),
        new Standard<>(YearMonth.class, Integer.BYTES + 1, (value, array, at) -> {
            LittleEndian.putInt(array, at, value.getYear());
            array[at + MONTH_AT] = (byte) value.getMonthValue();
        }, (array, at, in) -> YearMonth.of(LittleEndian.getInt(array, at), array[at + MONTH_AT])),
        new Standard<>(MonthDay.class, 2, (value, array, at) -> {
            array[at] = (byte) value.getMonthValue();
            array[at + 1] = (byte) value.getDayOfMonth();
        }, (array, at, in) -> MonthDay.of(array[at], array[at + 1])),
        new Standard<>(Period.class, 3 * Integer.BYTES, (value, array, at) -> {
            LittleEndian.putInt(array, at, value.getYears());
            LittleEndian.putInt(array, at + Integer.BYTES, value.getMonths());
            LittleEndian.putInt(array, at + 2 * Integer.BYTES, value.getDays());
        }, (array, at, in) -> Period.of(LittleEndian.getInt(array, at), LittleEndian.getInt(array, at + Integer.BYTES),
            LittleEndian.getInt(array, at + 2 * Integer.BYTES))))
        .collect(Collectors.toMap(Standard::type, Function.identity()));

    private FixedCodecs() {}

    /** Returns the codec of a type of the JDK, or null if it has none of fixed size. */
    public static TypeCodec.@Nullable Fixed<?> of(Class<?> type) {
        Scalar scalar = Scalar.ofBox(type);
        return scalar != null ? new BoxCodec(scalar) : ALL.get(type);
    }

    /** Returns all types of the JDK with a codec of fixed size, except boxes of primitive values. */
    public static Set<Class<?>> types() {
        return ALL.keySet();
    }

    // ---- composition ----

    @FunctionalInterface
    private interface Putter<T> {
        void put(T value, byte[] array, int at);
    }

    @FunctionalInterface
    private interface Getter<T> {
        T get(byte[] array, int at, Input in);
    }

    private static final class Standard<T> extends TypeCodec.Fixed<T> {
        private final Class<T> type;
        private final Putter<T> putter;
        private final Getter<T> getter;

        Standard(Class<T> type, int bytes, Putter<T> putter, Getter<T> getter) {
            super(bytes);
            this.type = type;
            this.putter = putter;
            this.getter = getter;
        }

        Class<T> type() {
            return type;
        }

        @Override
        public void put(T value, byte[] array, int at) {
            putter.put(value, array, at);
        }

        @Override
        public T get(byte[] array, int at, Input in) {
            return getter.get(array, at, in);
        }

        @Override
        void describe(Description description) {
            description.named(Description.STANDARD, type.getName());
        }
    }

    // ---- bytes ----

    private static void putUuid(UUID value, byte[] array, int at) {
        LittleEndian.putLong(array, at, value.getMostSignificantBits());
        LittleEndian.putLong(array, at + Long.BYTES, value.getLeastSignificantBits());
    }

    private static void putSeconds(long seconds, int nano, byte[] array, int at) {
        LittleEndian.putLong(array, at, seconds);
        LittleEndian.putInt(array, at + Long.BYTES, nano);
    }

    private static int getNano(byte[] array, int at, Input in) {
        int nano = LittleEndian.getInt(array, at);
        if (nano < 0 || nano >= NANOS_PER_SECOND) {
            throw in.malformed(nano + " nanoseconds of a second, at most " + (NANOS_PER_SECOND - 1) + " are possible,");
        }
        return nano;
    }

    private static void putDate(LocalDate value, byte[] array, int at) {
        LittleEndian.putInt(array, at, value.getYear());
        array[at + MONTH_AT] = (byte) value.getMonthValue();
        array[at + DAY_AT] = (byte) value.getDayOfMonth();
    }

    private static LocalDate getDate(byte[] array, int at) {
        return LocalDate.of(LittleEndian.getInt(array, at), array[at + MONTH_AT], array[at + DAY_AT]);
    }

    private static void putTime(LocalTime value, byte[] array, int at) {
        LittleEndian.putLong(array, at, value.toNanoOfDay());
    }

    private static LocalTime getTime(byte[] array, int at) {
        return LocalTime.ofNanoOfDay(LittleEndian.getLong(array, at));
    }

    private static void putDateTime(LocalDateTime value, byte[] array, int at) {
        putDate(value.toLocalDate(), array, at);
        putTime(value.toLocalTime(), array, at + DATE_BYTES);
    }

    private static LocalDateTime getDateTime(byte[] array, int at) {
        return LocalDateTime.of(getDate(array, at), getTime(array, at + DATE_BYTES));
    }

    private static void putOffset(ZoneOffset value, byte[] array, int at) {
        LittleEndian.putInt(array, at, value.getTotalSeconds());
    }

    private static ZoneOffset getOffset(byte[] array, int at) {
        return ZoneOffset.ofTotalSeconds(LittleEndian.getInt(array, at));
    }
}
