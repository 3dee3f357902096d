package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryState;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The registry of services as a part of the metadata. */
class RegistryInMachineTest {
    private static final long KEY = 5;

    private final MetadataMachine machine =
        new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));

    private static RegistryChange open(long key) {
        return new RegistryChange(new RegistryStep(StepCode.OPEN, 0, 0, key, 5_000, 0, "", RegistryStep.NONE));
    }

    private static RegistryResult apply(MetadataMachine to, RegistryChange change) {
        RegistryResult result = ((RegistryReply) to.apply(change)).result();
        to.audit();
        return result;
    }

    private static RegistryChange add(long session, long sequence) {
        return new RegistryChange(RegistryStep.of(StepCode.ADD, 1, "count").in(session, sequence << 6));
    }

    /** Services change no row, so no node asks for rows because of them. */
    @Test
    void steps_areNoChangesOfTheTables() {
        long version = machine.version();
        long session = apply(machine, open(KEY)).first();
        assertEquals(RegistryResult.DONE, apply(machine, add(session, 1)).code());
        assertEquals(version, machine.version());
        assertTrue(machine.registry().revision() > 0);
    }

    @Test
    void state_hasTheRegistry() {
        long session = apply(machine, open(KEY)).first();
        apply(machine, add(session, 1));
        MetadataMachine restored = new MetadataMachine(machine.state());
        assertEquals(machine.state(), restored.state());
        assertEquals(0, apply(restored, add(session, 1)).first(), "a repetition");
        assertEquals(1, apply(restored, add(session, 2)).first());
    }

    private static Command.ZonesRebuilt part(int part, int parts, long rebuilds) {
        return new Command.ZonesRebuilt(-9, part, parts, new RebuiltTables(new ClusterId(1, 2, ""),
            rebuilds * Rebuild.VERSIONS + 7, 1, 0, 0, List.of(), List.of()));
    }

    /** The new superpeers know no session of before; all numbers are above those of before. */
    @Test
    void rebuild_beginsAboveAllNumbersOfBefore_withoutNames() {
        long session = apply(machine, open(KEY)).first();
        apply(machine, add(session, 1));
        machine.apply(part(0, 2, 3));
        assertInstanceOf(CommandReply.Refused.class, machine.apply(open(KEY)), "not complete");
        machine.apply(part(1, 2, 3));
        assertEquals(new RegistryState(3L << 48, List.of(), List.of(), List.of()), machine.registry().state());
        assertEquals(RegistryResult.EXPIRED, apply(machine, add(session, 2)).code());
        assertTrue(apply(machine, open(KEY)).first() > 3L << 48);
    }
}
