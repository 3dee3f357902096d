package io.teff.engine.codec.schema;

import java.util.AbstractMap;
import java.util.Collection;
import java.util.Dictionary;
import java.util.Enumeration;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Spliterator;
import java.util.WeakHashMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/** Types of the JDK without a schema: why, and what to declare instead. */
final class RefusedTypes {
    private static final String LIST = "declare java.util.List";
    private static final String MAP = "declare java.util.Map";
    private static final String PAIR = "declare a record of the key and the value";
    private static final String PLAIN = "declare the type of its value";
    private static final Map<Class<?>, String> ADVICE = new LinkedHashMap<>();

    static {
        ADVICE.put(BlockingQueue.class, "has a capacity, which is not stored; declare java.util.Queue or "
            + "java.util.Deque");
        ADVICE.put(DelayQueue.class, "orders elements by the time; " + LIST);
        ADVICE.put(IdentityHashMap.class, "compares keys by identity, which reading does not keep; " + MAP);
        ADVICE.put(WeakHashMap.class, "may drop its keys at any time; " + MAP);
        ADVICE.put(Properties.class, "has keys of any type, and defaults; declare java.util.Map<String, String>");
        ADVICE.put(Map.Entry.class, "is an entry of a map; " + PAIR);
        ADVICE.put(AbstractMap.SimpleEntry.class, "is an entry of a map; " + PAIR);
        ADVICE.put(AbstractMap.SimpleImmutableEntry.class, "is an entry of a map; " + PAIR);
        ADVICE.put(Dictionary.class, "is a class of maps; " + MAP);
        for (Class<?> walk : new Class<?>[] {Iterator.class, Enumeration.class, Spliterator.class, BaseStream.class}) {
            ADVICE.put(walk, "can be walked once; " + LIST);
        }
        for (Class<?> later : new Class<?>[] {Future.class, Supplier.class}) {
            ADVICE.put(later, "has its value later; " + PLAIN);
        }
        for (Class<?> cell : new Class<?>[] {AtomicBoolean.class, AtomicInteger.class, AtomicLong.class,
            AtomicReference.class, LongAdder.class, DoubleAdder.class, LongAccumulator.class,
            DoubleAccumulator.class}) {
            ADVICE.put(cell, "is a variable; " + PLAIN);
        }
        for (Class<?> cells : new Class<?>[] {AtomicIntegerArray.class, AtomicLongArray.class,
            AtomicReferenceArray.class}) {
            ADVICE.put(cells, "is an array of variables; declare an array");
        }
        ADVICE.put(CharSequence.class, "is any sequence of chars; declare java.lang.String");
        ADVICE.put(Object.class, "can be of any class; declare a record, or a sealed interface of some");
    }

    private RefusedTypes() {}

    /** Returns why a type has no schema and what to declare instead; null if the type says nothing about it. */
    static @Nullable String advice(Class<?> type) {
        String known = ADVICE.get(type);
        if (known != null) {
            return known;
        }
        for (Map.Entry<Class<?>, String> entry : ADVICE.entrySet()) {
            if (entry.getKey() != Object.class && entry.getKey().isAssignableFrom(type)) {
                return entry.getValue();
            }
        }
        return Map.class.isAssignableFrom(type) ? "is a class of maps that reading cannot make; " + MAP
            : Iterable.class.isAssignableFrom(type) && (isOfJdk(type) || Collection.class.isAssignableFrom(type))
            ? "is a class of collections that reading cannot make; declare java.util.Collection, List, Set or Queue"
            : isOfJdk(type) ? "is a class of the JDK without a schema; store it as another type by "
            + "Schema.Builder.storeAs, or write a codec" : null;
    }

    /** Returns whether a class belongs to the JDK. */
    static boolean isOfJdk(Class<?> type) {
        return type.getName().startsWith("java.");
    }
}
