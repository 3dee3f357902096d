package io.teff.test.bench.collect;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.bench.store.KeyedMap;
import io.teff.test.bench.store.KeyedMaps;
import io.teff.test.bench.store.KeyedStore;
import io.teff.test.bench.store.SortedKeyedMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A structure that gives a wrong answer has no figures. */
final class TrialTest {
    private final CollectionPlan plan = CollectionKindTest.plan(CollectionKind.SORTED_SKIPLIST);
    private long calls;

    /** Returns a sorted map with a fault in one of its methods, from the hundredth call on, or the fourth of a walk. */
    private SortedKeyedMap spoiled(String method, String fault) {
        SortedKeyedMap right = KeyedMaps.skipList();
        Class<?>[] types = {SortedKeyedMap.class};
        return (SortedKeyedMap) Proxy.newProxyInstance(getClass().getClassLoader(), types,
            (proxy, called, arguments) -> {
                boolean isDue = called.getName().equals(method) && ++calls > (method.startsWith("sum") ? 3 : 100);
                if (isDue && fault.equals("twice")) {
                    invoke(right, called, arguments);
                }
                Object answer = isDue && fault.equals("never") ? arguments[0] : invoke(right, called, arguments);
                return !isDue ? answer : spoil(fault, answer, arguments);
            });
    }

    private static Object invoke(SortedKeyedMap map, Method method, Object[] arguments) throws IllegalAccessException {
        try {
            return method.invoke(map, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static Object spoil(String fault, Object answer, Object[] arguments) {
        switch (fault) {
            case "key" -> KeyedStore.LONG.set((byte[]) arguments[1], 0, -1L);
            case "tail" -> ((byte[]) arguments[1])[31]++;
            case "counter" -> ((byte[]) arguments[1])[KeyedMap.COUNTER_OFFSET]++;
            case "one less" -> {
                return answer instanceof Integer length ? (Object) (length - 1) : (Long) answer - 1;
            }
            case "false" -> {
                return false;
            }
            default -> {}
        }
        return answer;
    }

    @ParameterizedTest
    @CsvSource({"get, key", "get, tail", "get, counter", "get, one less", "increment, never", "increment, twice",
        "sumOfKeys, one less", "sumOfEntries, one less", "ceiling, one less", "sumOfRange, one less",
        "sumOfRangeFast, one less", "remove, false"})
    void run_wrongAnswer_fails(String method, String fault) {
        assertThrows(IllegalStateException.class, () -> new SortedTrial(plan, count -> spoiled(method, fault)).run());
        assertTrue(calls > 0, method + " was called");
    }

    @Test
    void run_rightAnswers_doesNotFail() {
        assertTrue(new SortedTrial(plan, count -> spoiled("none", "none")).run().containsKey("range fast"));
    }

    @Test
    void run_setThatForgets_fails() {
        Set<Long> forgetful = new HashSet<>() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean contains(Object element) {
                return !element.equals(7L) && super.contains(element);
            }
        };
        // There is room for every element: 7 is asked for sooner or later.
        CollectionPlan longer = new CollectionPlan(plan.kind(), 1000, plan.memoryBytes(), 20, 20, 1);
        assertThrows(IllegalStateException.class,
            () -> new SetTrial(longer, () -> Held.onHeap(forgetful)).run());
    }

    @Test
    void run_listThatMixesItsElementsUp_fails() {
        List<Long> kept = new ArrayList<>();
        List<Long> mixed = new AbstractList<>() {
            @Override
            public Long get(int index) {
                return kept.get(index ^ 1);
            }

            @Override
            public int size() {
                return kept.size();
            }

            @Override
            public boolean add(Long element) {
                return kept.add(element);
            }

            @Override
            public Long remove(int index) {
                return kept.remove(index);
            }
        };
        assertThrows(IllegalStateException.class, () -> new ListTrial(plan, () -> Held.onHeap(mixed)).run());
    }

    @Test
    void run_queueThatIsAStack_fails() {
        Queue<Long> stack = new ArrayDeque<>() {
            private static final long serialVersionUID = 1;

            @Override
            public Long poll() {
                return pollLast();
            }
        };
        assertThrows(IllegalStateException.class, () -> new QueueTrial(plan, () -> Held.onHeap(stack)).run());
    }

    @Test
    void run_growthThatLosesAnEntry_fails() {
        assertThrows(IllegalStateException.class, () -> new GrowthTrial(plan,
            count -> count == plan.entries() ? spoiled("create", "never") : KeyedMaps.concurrentHashMap()).run());
    }
}
