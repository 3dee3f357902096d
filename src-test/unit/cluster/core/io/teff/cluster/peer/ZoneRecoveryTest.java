package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.ship.ShipRing;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class ZoneRecoveryTest {
    private static final int ZONE = 5;

    private final ModelZones zones = new ModelZones(new ShipRing(64 << 10, Clock.SYSTEM), () -> { }, true);
    private final ZoneRecovery recovery = new ZoneRecovery(ZONE, 0, 0);

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
        recovery.read(zones, log(how), new ZoneCopy(ZONE, 1), 7, 1, _ -> false, Clock.SYSTEM);
    }

    @Test
    void read_publishesTheZone() {
        read(() -> { });
        assertNotNull(recovery.view());
        assertNull(recovery.hindrance());
    }

    /** The zone was handed over meanwhile: what is published now would be in the way of the next recovery. */
    @Test
    void read_thatIsAbandonedMeanwhile_publishesNothing() {
        read(recovery::abandon);
        assertNull(recovery.view());
        assertNull(zones.zone(ZONE));
        zones.add(ZONE);
    }

    @Test
    void read_thatFails_saysWhy_aDiskOnlyTheSecondTime() {
        Runnable full = () -> {
            throw new StoreException(Category.DEGRADED, "no room for what was appended last");
        };
        read(full);
        assertNull(recovery.hindrance());
        read(full);
        assertEquals(Hindrance.DISK, recovery.hindrance());
        read(() -> {
            throw StoreException.fatal("damaged");
        });
        assertEquals(Hindrance.DAMAGE, recovery.hindrance());
        assertNull(zones.zone(ZONE));
    }
}
