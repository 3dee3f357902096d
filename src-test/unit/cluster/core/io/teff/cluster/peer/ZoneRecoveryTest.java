package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.peer.LocalZone.State;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** How a zone is read into memory: what is published, and what a failed reading says. */
class ZoneRecoveryTest {
    private static final int ZONE = 5;
    private static final NodeRef SELF = new NodeRef(16, 1);

    private final ShipRing ring = new ShipRing(64 << 10, Clock.SYSTEM);
    private final ModelZones zones = new ModelZones(ring, () -> { }, () -> true, true);
    private final LocalZone zone = new LocalZone(ZONE);
    private final ZoneRecovery recovery = zone.candidate(() -> 0);

    private ZoneShipment shipment() {
        ZoneRow row = Rows.row(ZONE, 1, ZoneState.RESTORING, SELF);
        return new Shipper(SELF, ring, (_, _, _) -> true, new Shipper.Listener() {
            @Override
            public void holdsUp(ZoneRow of, NodeRef backup) {
                throw new AssertionError(backup);
            }

            @Override
            public void stalled(long ns) {
                throw new AssertionError(ns);
            }
        }, Platform.SYSTEM, 1 << 20).open(row, 0);
    }

    /** Returns a log whose copies are read by a call. */
    private static CopyLog log(Runnable read) {
        return (CopyLog) Proxy.newProxyInstance(ZoneRecoveryTest.class.getClassLoader(), new Class<?>[] {CopyLog.class},
            (_, method, _) -> {
                if (method.getName().equals("read")) {
                    read.run();
                }
                return null;
            });
    }

    private void read(Runnable how) {
        if (zone.state() == State.CANDIDATE) {
            zone.chosen(shipment());
        }
        new CopyReader(zones, log(how), task -> task.accept(1), _ -> false, Clock.SYSTEM)
            .begin(zone, recovery, new ZoneCopy(ZONE, 1), 7, () -> { });
    }

    @Test
    void read_publishesTheZone() {
        read(() -> { });
        assertEquals(State.READ, zone.state());
        assertNull(zone.store(), "it is not served yet");
        assertNull(recovery.hindrance());
        zone.serve(0);
        assertNotNull(zone.store());
        assertNotNull(zone.slots());
    }

    /** The zone was handed over meanwhile: what is published now would be in the way of the next recovery. */
    @Test
    void read_thatIsDeposedMeanwhile_publishesNothing() {
        read(zone::depose);
        assertEquals(State.DEPOSED, zone.state());
        assertNull(zones.zone(ZONE));
        zones.add(ZONE);
    }

    @Test
    void read_thatFails_saysWhy_aDiskOnlyTheSecondTime() {
        Runnable full = () -> {
            throw new StoreException(Category.DEGRADED, "no room for what was appended last");
        };
        read(full);
        assertEquals(State.CHOSEN, zone.state());
        assertNull(recovery.hindrance());
        read(full);
        assertEquals(Hindrance.DISK, recovery.hindrance());
        read(() -> {
            throw StoreException.fatal("damaged");
        });
        assertEquals(Hindrance.DAMAGE, recovery.hindrance());
        assertEquals(State.CHOSEN, zone.state());
        assertNull(zones.zone(ZONE));
    }
}
