package io.teff.engine.config;

/**
 * When a store uses native access for its memory. The first store of a JVM decides for all of its stores, because the
 * JIT treats the mode as a constant. The system property {@code io.teff.memory} overrides this setting: {@code native},
 * {@code enabled} or {@code blocks} for the constants in this order.
 */
public enum NativeAccess {
    /**
     * Wherever the JVM permits it. Without {@code --enable-native-access} the JDK prints a warning about it, and a
     * later JDK may refuse it.
     */
    WITH_WARNING,
    /** Only if the JVM was started with {@code --enable-native-access} for the engine. The default. */
    IF_ENABLED,
    /** Never: memory comes from the JDK in blocks. */
    NEVER
}
