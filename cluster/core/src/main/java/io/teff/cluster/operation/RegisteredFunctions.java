package io.teff.cluster.operation;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.FunctionEntry;
import io.teff.cluster.operation.FunctionCall.Decision;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Units;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The registered functions of this process, by name. A function that fails in any way fails its call alone: a failure
 * is an answer, with the text of the failure, and the entry is as it was. Thread-safe.
 */
final class RegisteredFunctions {
    /** Longest text of a failure, which has room in a slot. */
    private static final int TEXT_BYTES_MAX = 1000;

    private final Map<String, ClusterFunction> functions = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();

    /** Begins without functions. */
    RegisteredFunctions() {}

    /** Those that the service loader finds, at the first use. */
    private static final class Found {
        private static final RegisteredFunctions FUNCTIONS = new RegisteredFunctions();

        static {
            FUNCTIONS.load();
        }
    }

    /** Returns the functions of this process. */
    static RegisteredFunctions found() {
        return Found.FUNCTIONS;
    }

    private void load() {
        final List<ServiceLoader.Provider<ClusterFunction>> providers;
        try (Stream<ServiceLoader.Provider<ClusterFunction>> all = ServiceLoader.load(ClusterFunction.class,
            ClusterFunction.class.getClassLoader()).stream()) {
            providers = all.toList();
        } catch (ServiceConfigurationError e) {
            problems.add(FailureText.of(e));
            return;
        }
        for (ServiceLoader.Provider<ClusterFunction> provider : providers) {
            try {
                register(provider.get());
            } catch (RuntimeException | Error e) {              // of the application: its other functions are in use
                final Throwable cause = e.getCause();
                problems.add(provider.type().getName() + ": " + text(cause == null ? e : cause));
            }
        }
    }

    /** Registers a function. Two functions of one name have none of it: they may differ. */
    void register(ClusterFunction function) {
        final ClusterFunction before = functions.putIfAbsent(function.name(), function);
        if (before != null && !before.equals(function)) {
            functions.put(function.name(), new Twice(function.name(), before.getClass(), function.getClass()));
        }
    }

    /** In place of two functions of one name. */
    private record Twice(String name, Class<?> first, Class<?> second) implements ClusterFunction {
        @Override
        public void call(FunctionEntry entry) {
            throw new IllegalStateException("two functions have this name: " + first.getName() + " and "
                + second.getName());
        }
    }

    /**
     * Runs a function under the lock of an entry.
     *
     * @param call names the function
     * @param key of the entry
     * @param value of the entry, or null
     * @param entryBytesMax most bytes of key and value
     * @param clock measures the function
     * @return what the function has decided, or why it has failed
     */
    Decision run(FunctionCall call, byte[] key, byte @Nullable [] value, int entryBytesMax, Clock clock) {
        final ClusterFunction function = functions.get(call.name());
        if (function == null) {
            return failed(OperationFormat.NO_FUNCTION, problems.isEmpty() ? ""
                : "; functions that could not be loaded: " + String.join("; ", problems));
        }
        final CalledEntry entry = new CalledEntry(key, value, call.argument());
        final long startNs = clock.nowNs();
        try {
            function.call(entry);
        } catch (RuntimeException | Error e) {                  // of the application: an answer to its caller
            return failed(OperationFormat.FUNCTION_FAILED, text(e));
        }
        final long ns = clock.nowNs() - startNs;
        final byte[] next = entry.next;
        final byte[] result = entry.result;
        if (ns > ClusterFunction.LIMIT_NS) {
            return failed(OperationFormat.FUNCTION_FAILED, "it took " + Units.time(ns) + ", and the limit is "
                + Units.time(ClusterFunction.LIMIT_NS));
        }
        if (result != null && result.length > ClusterFunction.RESULT_BYTES_MAX) {
            return failed(OperationFormat.FUNCTION_FAILED, "a result of " + result.length + " bytes, and the limit is "
                + ClusterFunction.RESULT_BYTES_MAX);
        }
        if (next != null && (long) key.length + next.length > entryBytesMax) {
            return failed(OperationFormat.FUNCTION_FAILED, "an entry of " + ((long) key.length + next.length)
                + " bytes, and the limit is " + entryBytesMax);
        }
        return new Decision(OperationFormat.DONE, result, entry.hasChange && (next != null || value != null), next);
    }

    private static Decision failed(int code, String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Decision(code, Arrays.copyOf(bytes, Math.min(bytes.length, TEXT_BYTES_MAX)), false, null);
    }

    /** Returns the text of an exception, also if methods of the exception throw. */
    private static String text(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException | Error _) {                  // of the application, too
            return thrown.getClass().getName();
        }
    }

    /** The entry of one call. */
    private static final class CalledEntry implements FunctionEntry {
        private final byte[] key;
        private final byte @Nullable [] value;
        private final byte[] argument;
        private byte @Nullable [] next;
        private byte @Nullable [] result;
        private boolean hasChange;

        private CalledEntry(byte[] key, byte @Nullable [] value, byte[] argument) {
            this.key = key;
            this.value = value;
            this.argument = argument;
        }

        @Override
        public byte[] key() {
            return key.clone();
        }

        @Override
        public byte @Nullable [] value() {
            return value == null ? null : value.clone();
        }

        @Override
        public byte[] argument() {
            return argument.clone();
        }

        @Override
        public void put(byte[] bytes) {
            next = bytes.clone();
            hasChange = true;
        }

        @Override
        public void result(byte[] bytes) {
            result = bytes.clone();
        }

        @Override
        public void remove() {
            next = null;
            hasChange = true;
        }
    }
}
