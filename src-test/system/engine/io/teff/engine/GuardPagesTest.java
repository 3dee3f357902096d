package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.DebugLevel;
import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.tier.FullTier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: at debug level 3 a stray access ends the process where it happens, and every other fault is detected.
 *
 * <p>Method: each {@link Fault} in a process of its own. Needs native access, so the test does not run without it.
 */
@Tag("system")
@Tag("processes")
@FullTier("9 s, and a JVM for each of fourteen planted faults. MemorySafetyTest plants faults that canaries and "
    + "quarantine notice.")
final class GuardPagesTest {
    @ParameterizedTest
    @EnumSource(Fault.class)
    void plantedFault_isNoticedOrEndsTheProcess(Fault fault) throws InterruptedException {
        boolean strays = switch (fault) {
            case WRITE_BYTE_AFTER, WRITE_LONG_AFTER, READ_AFTER_FREE, WRITE_AFTER_FREE, USE_AFTER_UNPIN -> true;
            default -> false;
        };
        planted(fault, 50, strays ? "SIGSEGV" : FaultMain.NOTICED);
    }

    @Test
    void byteBehindOddLength_isNoticed() throws InterruptedException {
        planted(Fault.WRITE_BYTE_AFTER, 51, FaultMain.NOTICED);
    }

    private static void planted(Fault fault, int bytes, String expected) throws InterruptedException {
        ChildJvm.Result result = ChildJvm.run(FaultMain.class, ChildJvm.NATIVE, "--", fault.name(),
            DebugLevel.GUARD_PAGES.name(), String.valueOf(bytes));
        assertTrue(result.output().contains(expected), () -> fault + " ended with " + result);
    }

    @Test
    void noFault_nothingIsNoticed() {
        MemorySafetyTest.misuseNothing(DebugLevel.GUARD_PAGES);
    }
}
