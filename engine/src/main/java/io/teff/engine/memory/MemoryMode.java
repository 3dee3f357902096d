package io.teff.engine.memory;

import io.teff.engine.os.BlockFile;
import io.teff.engine.os.LinuxMemory;

/**
 * The choice between reserved address space and blocks ({@link Memory}), made once per JVM: by the system property
 * {@code io.teff.memory}, else by the configuration of the first store.
 */
public final class MemoryMode {
    /** Native access wherever the JVM permits it, with the JDK's warning. */
    public static final String NATIVE = "native";
    /** Native access if it is enabled. */
    public static final String ENABLED = "enabled";
    /** No native access. */
    public static final String BLOCKS = "blocks";

    private static final String PROPERTY = "io.teff.memory";
    /** The wish of the first store. Read when {@link Memory} is initialized, which the first store does. */
    private static volatile String wish = ENABLED;

    private MemoryMode() {}

    /**
     * Announces the wish of a store that is being opened. No effect unless it is the first store of this JVM.
     *
     * @param mode one of the constants
     */
    public static void prefer(String mode) {
        wish = mode;
    }

    private static String wanted() {
        String property = System.getProperty(PROPERTY, "");
        return property.isEmpty() ? wish : property;
    }

    /** Decides; called once. */
    static boolean isReserved() {
        return switch (wanted()) {
            case NATIVE -> LinuxMemory.permitted();
            case ENABLED -> LinuxMemory.available();
            case BLOCKS -> false;
            case String other -> throw new IllegalArgumentException(PROPERTY + "=" + other + " is not " + NATIVE + ", "
                + ENABLED + " or " + BLOCKS);
        };
    }

    /** {@return whether the JDK's warning was accepted} */
    public static boolean isAskedFor() {
        return wanted().equals(NATIVE);
    }

    /** {@return the mode in use, and what the other mode would bring, in one line} */
    public static String describe() {
        return Memory.RESERVED
            ? "memory with native access: reserved, and given back when chunks are removed (-D" + PROPERTY + "="
            + BLOCKS + " takes it from the JDK, which needs no access, but makes gets slower)"
            : "memory without native access: from the JDK in blocks, "
            + (BlockFile.shared().isUsable() ? "given back when chunks are removed" : "kept until close")
            + " (--enable-native-access for the engine, or -D" + PROPERTY + "=" + NATIVE
            + " with a warning of the JDK, makes gets up to 2.5 times as fast)";
    }
}
