package io.teff.cluster.peer;

import io.teff.cluster.ship.ShipRing;
import io.teff.engine.zone.Zones;
import java.util.function.LongSupplier;

/**
 * The memory of a life.
 *
 * @param ring the journal of the life's store
 * @param zones the zones of this store
 * @param freeBytes how much memory chunks can still take
 * @param pool restores zones
 */
record LifeMemory(ShipRing ring, Zones zones, LongSupplier freeBytes, Restores pool) {}
