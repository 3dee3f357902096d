package io.teff.bridge.chronicle;

import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The JVM flags that Chronicle Bytes needs, checked before Chronicle fails in an obscure way without them.
 *
 * <p>Two things are needed: {@link #OPENS}, without which marshalling by reflection fails with an {@code
 * AssertionError}, and access to memory by {@code sun.misc.Unsafe}, which JDK 25 has unless it is denied. The other
 * flags keep Chronicle from printing warnings. Thread-safe.
 */
public final class ChronicleFlags {
    /** The flag that lets Chronicle access private fields. */
    public static final String OPENS = "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED";
    /** The flag that lets Chronicle read and write memory. */
    public static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";
    /** All flags with which Chronicle works on JDK 25 without a warning. */
    public static final List<String> ALL = List.of(OPENS, UNSAFE, "--enable-native-access=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");

    private static final String UNSAFE_PROPERTY = "sun.misc.unsafe.memory.access";
    private static final String ANALYTICS_PROPERTY = "chronicle.analytics.disable";

    private ChronicleFlags() {}

    /**
     * Checks the flags, and disables Chronicle's analytics unless their property is set.
     *
     * @throws IllegalStateException if a needed flag is missing; the message names it and all useful flags
     */
    public static void require() {
        // The class literal does not initialize the class.
        refuse(missing(Object.class.getModule().isOpen("java.lang.reflect", Bytes.class.getModule()),
            System.getProperty(UNSAFE_PROPERTY)));
        if (System.getProperty(ANALYTICS_PROPERTY) == null) {
            System.setProperty(ANALYTICS_PROPERTY, "true");
        }
    }

    /** Returns the needed flags that are missing. */
    static List<String> missing(boolean opened, @Nullable String unsafeAccess) {
        List<String> missing = new ArrayList<>();
        if (!opened) {
            missing.add(OPENS);
        }
        if ("deny".equals(unsafeAccess)) {
            missing.add(UNSAFE);
        }
        return missing;
    }

    static void refuse(List<String> missing) {
        if (!missing.isEmpty()) {
            throw new IllegalStateException("Chronicle Bytes does not work on this JVM without "
                + String.join(" ", missing) + "; start it with all flags of Chronicle: java "
                + String.join(" ", ALL));
        }
    }
}
