package io.teff.cluster.operation;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.FunctionEntry;
import io.teff.cluster.operation.FunctionCall.Decision;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Units;
import io.teff.engine.work.Registered;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The registered functions of this process, by name. A function that fails in any way fails its call alone: a failure
 * is an answer, with the text of the failure, and the entry is as it was. Thread-safe.
 */
public final class RegisteredFunctions {
    /** Longest text of a failure, which has room in a slot. */
    private static final int TEXT_BYTES_MAX = 1000;

    private final Registered<ClusterFunction> functions = new Registered<>(ClusterFunction::name);

    /** Begins without functions. */
    RegisteredFunctions() {}

    /** Those that the service loader finds, at the first use. */
    private static final class Found {
        private static final RegisteredFunctions FUNCTIONS = new RegisteredFunctions();

        static {
            FUNCTIONS.functions.addAll(ServiceLoader.load(ClusterFunction.class,
                ClusterFunction.class.getClassLoader()));
        }
    }

    /** {@return the functions of this process} */
    public static RegisteredFunctions found() {
        return Found.FUNCTIONS;
    }

    /**
     * Adds the functions of a jar.
     *
     * @param loader of the classes of the jar
     */
    public void addAll(ClassLoader loader) {
        functions.addAll(ServiceLoader.load(ClusterFunction.class, loader),
            type -> loader.equals(type.getClassLoader()));
    }

    /**
     * Removes the functions of a jar.
     *
     * @param loader of the classes of the jar
     */
    public void removeAll(ClassLoader loader) {
        functions.removeIf(function -> loader.equals(function.getClass().getClassLoader()));
    }

    /** Registers a function. Two functions of one name have none of it: they may differ. */
    void register(ClusterFunction function) {
        functions.add(function);
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
        final ClusterFunction function = functions.find(call.name());
        if (function == null) {
            return failed(OperationFormat.NO_FUNCTION, functions.why(call.name()));
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
