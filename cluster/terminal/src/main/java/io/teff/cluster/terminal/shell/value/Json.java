package io.teff.cluster.terminal.shell.value;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, texts, numbers and records as JSON. */
public final class Json {
    private Json() {}

    /**
     * {@return a document in one line; maps without an order of their own are sorted by their keys}
     *
     * @param value a map, list, text, number or boolean, or null
     */
    public static String of(@Nullable Object value) {
        try {
            return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(ordered(value));
        } catch (IOException e) {
            throw new IllegalStateException("the result is no JSON: " + FailureText.of(e), e);
        }
    }

    /** Returns a value whose maps have an order: that of {@code Map.of} changes from process to process. */
    private static @Nullable Object ordered(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> result = map instanceof SequencedMap ? new LinkedHashMap<>()
                    : new TreeMap<>();
                map.forEach((key, each) -> result.put(String.valueOf(key), ordered(each)));
                yield result;
            }
            case Collection<?> all -> {
                List<@Nullable Object> result = new ArrayList<>();
                all.forEach(each -> result.add(ordered(each)));
                yield result;
            }
            case null -> null;
            default -> value;
        };
    }

    /**
     * {@return a value for people: a text as it is, else JSON}
     *
     * @param value a map, list, text, number or boolean, or null
     */
    public static String text(@Nullable Object value) {
        return value instanceof String text ? text : of(value);
    }

    /**
     * Returns public records as maps, and records inside of these.
     *
     * @param value a record, list, text, number or boolean, or null
     * @return a value for {@link #of}
     */
    public static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case Record record -> map(record);
            case Collection<?> list -> list.stream().map(Json::plain).toList();
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
            case null -> null;
            default -> value;
        };
    }

    private static Map<String, @Nullable Object> map(Record record) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                map.put(component.getName(), plain(component.getAccessor().invoke(record)));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);             // the records are public
            }
        }
        return map;
    }

    /**
     * Shows the values of a map as lines: the path of the keys, and the value.
     *
     * @param map of texts, numbers, booleans, lists and maps
     * @return a table
     */
    public static String lines(Map<String, @Nullable Object> map) {
        TextTable table = new TextTable("FIELD", "VALUE");
        add(map, "", table);
        return table.toString();
    }

    private static void add(Map<?, ?> map, String path, TextTable table) {
        map.forEach((key, value) -> {
            if (value instanceof Map<?, ?> inner) {
                add(inner, path + key + '.', table);
            } else {
                table.row(path + key, value == null ? "-" : text(value));
            }
        });
    }
}
