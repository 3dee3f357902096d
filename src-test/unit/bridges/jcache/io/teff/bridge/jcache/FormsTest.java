package io.teff.bridge.jcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: what is put comes back equal, as an object of its own, whatever its type; what cannot be stored is named. */
@Tag("modes")
final class FormsTest {
    private final TestManager test = new TestManager();

    @AfterEach
    void close() {
        test.close();
    }

    /** A record has a codec. */
    record Account(String owner, long cents) {}

    /** One of a sealed type. */
    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    /** Has no codec, as it extends something; can be serialized. */
    static final class Tags extends ArrayList<String> {
        private static final long serialVersionUID = 1L;
    }

    /** There is a codec, which would lose what is transient; its own methods do not. */
    static final class Secret implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int number;
        private transient String word = "";

        Secret(int number) {
            this.number = number;
        }

        static Secret of(int number, String word) {
            Secret secret = new Secret(number);
            secret.word = word;
            return secret;
        }

        private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
            out.defaultWriteObject();
            out.writeUTF(word);
        }

        private void readObject(java.io.ObjectInputStream in) throws java.io.IOException, ClassNotFoundException {
            in.defaultReadObject();
            word = in.readUTF();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Secret secret && secret.number == number && secret.word.equals(word);
        }

        @Override
        public int hashCode() {
            return word.hashCode();
        }
    }

    /** Neither has a codec nor can be serialized. */
    static final class Hopeless {
        private final Object anything = new Object();

        @Override
        public String toString() {
            return anything.toString();
        }
    }

    static Stream<Object> objects() {
        Tags tags = new Tags();
        tags.add("one");
        return Stream.of("text", "\u20ac", 1, 2L, (short) 3, 'c', true, 1.5, UUID.randomUUID(), new BigDecimal("1.50"),
            Instant.EPOCH, TimeUnit.DAYS, new Account("me", 42), new Circle(1), new Date(5), URI.create("a:b"),
            List.of("one", 2), tags, Secret.of(7, "word"));
    }

    @ParameterizedTest
    @MethodSource("objects")
    void object_asKeyAndValue_comesBackEqual(Object object) {
        TeffCache<Object, Object> cache = test.cache("objects", TestManager.types(Object.class, Object.class));
        cache.put(object, object);
        assertEquals(object, cache.get(object));
        assertEquals(object.getClass(), cache.get(object).getClass().isRecord() ? object.getClass()
            : cache.get(object).getClass());
        assertEquals(object, cache.iterator().next().getKey());
    }

    @Test
    void types_declared_haveTheirCodec() {
        assertFalse(Forms.of(Account.class, getClass().getClassLoader()) instanceof TaggedForm);
        assertFalse(Forms.of(Shape.class, getClass().getClassLoader()) instanceof TaggedForm);
        assertFalse(Forms.of(byte[].class, getClass().getClassLoader()) instanceof TaggedForm);
        assertInstanceOf(TaggedForm.class, Forms.of(List.class, getClass().getClassLoader()));
        assertInstanceOf(TaggedForm.class, Forms.of(Secret.class, getClass().getClassLoader()));
        TeffCache<Shape, Account> cache = test.cache("declared", TestManager.types(Shape.class, Account.class));
        cache.put(new Circle(1), new Account("circle", 1));
        cache.put(new Square(1), new Account("square", 2));
        assertEquals(new Account("circle", 1), cache.get(new Circle(1)));
        assertEquals(new Account("square", 2), cache.get(new Square(1)));
    }

    @Test
    void equalNumbers_ofDifferentClasses_areDifferentKeys() {
        TeffCache<Object, String> cache = test.cache("numbers", TestManager.types(Object.class, String.class));
        cache.put(1, "int");
        cache.put(1L, "long");
        assertEquals("int", cache.get(1));
        assertEquals("long", cache.get(1L));
        assertNull(cache.get((short) 1));
    }

    @Test
    void bytes_asKeys_areEqualByContent() {
        TeffCache<byte[], byte[]> cache = test.cache("bytes", TestManager.types(byte[].class, byte[].class));
        cache.put(new byte[] {1, 2}, new byte[] {3});
        assertArrayEquals(new byte[] {3}, cache.get(new byte[] {1, 2}));
        assertTrue(cache.replace(new byte[] {1, 2}, new byte[] {3}, new byte[] {4}));
        assertTrue(cache.remove(new byte[] {1, 2}, new byte[] {4}));
    }

    @Test
    void object_changedAfterPut_doesNotMatter() {
        TeffCache<String, Tags> cache = test.cache("copies", TestManager.types(String.class, Tags.class));
        Tags tags = new Tags();
        cache.put("key", tags);
        tags.add("later");
        assertEquals(new Tags(), cache.get("key"));
        assertNotSame(cache.get("key"), cache.get("key"));
    }

    @Test
    void object_notStorable_isNamed_andChangesNothing() {
        TeffCache<String, Object> cache = test.cache("hopeless", TestManager.types(String.class, Object.class));
        cache.put("key", "before");
        for (Object hopeless : List.of(new Hopeless(), List.of(new Hopeless()))) {
            CacheException e = assertThrows(CacheException.class, () -> cache.put("key", hopeless));
            assertTrue(e.getMessage().contains(hopeless instanceof List ? "serialized" : Hopeless.class.getName()),
                e.getMessage());
        }
        assertEquals("before", cache.get("key"));
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void object_ofAnotherType_isRefused() {
        TeffCache cache = test.cache("typed", TestManager.types(String.class, Integer.class));
        assertThrows(ClassCastException.class, () -> cache.put(1, 1));
        assertThrows(ClassCastException.class, () -> cache.put("key", "value"));
        assertThrows(ClassCastException.class, () -> cache.get(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 500, 5_000, 1 << 20, 20 << 20})
    void valueOfAnySize_comesBack(int length) {
        byte[] value = new byte[length];
        new SplittableRandom(length).nextBytes(value);
        TeffCache<Object, byte[]> exact = test.cache("exact", TestManager.types(Object.class, byte[].class));
        exact.put("key", value);
        assertArrayEquals(value, exact.get("key"));
        exact.put("key", new byte[] {1});
        assertArrayEquals(new byte[] {1}, exact.get("key"));
        TeffCache<Object, Object> tagged = test.cache("tagged", TestManager.types(Object.class, Object.class));
        tagged.put(new Account("x".repeat(length % 70_000), 1), value);
        assertTrue(Objects.deepEquals(value, tagged.get(new Account("x".repeat(length % 70_000), 1))));
    }
}
