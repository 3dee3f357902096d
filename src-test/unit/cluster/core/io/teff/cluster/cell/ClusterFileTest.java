package io.teff.cluster.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Disk;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The identity of a cluster in a folder is there as a whole or not at all, whatever the disk refuses. */
final class ClusterFileTest {
    private static final ClusterId CLUSTER = new ClusterId(0x0123456789ABCDEFL, -7, "orders");

    private final FaultDisk disk = new FaultDisk();

    private static ClusterId read(Disk from) throws IOException {
        return ClusterFile.read(from, FaultDisk.ROOT);
    }

    private void write() throws IOException {
        ClusterFile.write(disk, FaultDisk.ROOT, CLUSTER);
    }

    /** Reads each folder that a power cut can leave; returns how many have the cluster. */
    private int afterPowerCuts() throws IOException {
        final Choices choices = Choices.all();
        int count = 0;
        do {
            final ClusterId left = read(disk.powerCut(choices));
            assertTrue(left.equals(CLUSTER) || left.equals(ClusterId.NONE), () -> left + " after " + choices);
            count += left.isKnown() ? 1 : 0;
        } while (choices.next());
        return count;
    }

    private int powerCuts() {
        final Choices choices = Choices.all();
        int count = 0;
        do {
            disk.powerCut(choices);
            count++;
        } while (choices.next());
        return count;
    }

    @Test
    void written_isKept() throws IOException {
        assertEquals(ClusterId.NONE, read(disk));
        write();
        assertEquals(CLUSTER, read(disk));
        assertEquals(CLUSTER, read(disk.killed()));
        assertEquals(powerCuts(), afterPowerCuts());
    }

    /** The node goes on, and its next start writes the file again. */
    @ParameterizedTest
    @EnumSource(value = Call.class, names = {"LIST", "CREATE", "WRITE", "FORCE", "RENAME", "FORCE_FOLDER"})
    void refused_isWrittenByTheNextAttempt(Call call) throws IOException {
        for (Fault fault : Fault.values()) {
            disk.fail(call, 0, fault);
            assertThrows(IOException.class, this::write, call::name);
            assertEquals(call == Call.FORCE_FOLDER ? CLUSTER : ClusterId.NONE, read(disk.killed()), call::name);
            afterPowerCuts();
        }
        write();
        assertEquals(CLUSTER, read(disk.killed()));
        assertEquals(powerCuts(), afterPowerCuts());
    }

    @Test
    void rest_ofARefusedAttempt_thatCannotBeDeleted_isAFailure() throws IOException {
        disk.fail(Call.WRITE, 0, Fault.FULL);
        assertThrows(IOException.class, this::write);
        disk.fail(Call.DELETE, 0, Fault.BROKEN);
        assertThrows(IOException.class, this::write);
        assertEquals(ClusterId.NONE, read(disk));
        write();
        assertEquals(CLUSTER, read(disk));
    }
}
