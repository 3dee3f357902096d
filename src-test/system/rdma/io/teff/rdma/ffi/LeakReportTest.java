package io.teff.rdma.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A JVM that loses a native object names the place where it was made, if it was started with the property. */
@Tag("system")
@Tag("processes")
final class LeakReportTest {
    @Test
    void lostObject_withTheProperty_isLoggedWithItsPlace() throws InterruptedException {
        ChildJvm.Result result = ChildJvm.run(LosingProgram.class, "-Dteff.rdma.leaks=true", ChildJvm.NATIVE);
        List<String> lines = result.output().lines().toList();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(lines.contains("open: lost thing, created"), result::output);
        assertTrue(result.output().contains("never closed, and lost: lost thing, created"), result::output);
        assertTrue(lines.contains("lost: 1"), result::output);
        assertTrue(result.output().contains("LosingProgram.main"), result::output);
        assertEquals(1, lines.stream().filter(line -> line.startsWith("open: ")).count());
    }

    @Test
    void lostObject_withoutTheProperty_isCountedAlone() throws InterruptedException {
        ChildJvm.Result result = ChildJvm.run(LosingProgram.class, ChildJvm.NATIVE);
        assertTrue(result.output().contains("open: lost thing"), result::output);
        assertFalse(result.output().contains("created"), result::output);
        assertTrue(result.output().contains("lost: 0"), result::output);
    }
}
