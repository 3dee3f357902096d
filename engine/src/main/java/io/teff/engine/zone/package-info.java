/**
 * Many zones in one store: chunks with ids, names and collections of their own, in one memory.
 *
 * <p>A zone is the creator part of a CID. A store issues ids for its own creator; {@link io.teff.engine.zone.Zones}
 * adds further zones, for which the store issues ids, too.
 *
 * <p><b>Promise.</b> A zone appears and disappears as a whole: a zone during its fill is invisible until it is
 * published, and all its chunks are visible from then on; no chunk is visible after a drop. No id of a zone is issued
 * twice. This holds also for the id of a chunk removed before the fill, if the filler has named the id. The memory of a
 * dropped zone returns in the background; no thread waits for it. Operations on other zones continue meanwhile.
 *
 * <p><b>Limits.</b> A snapshot of the store contains the chunks of its zones. A store restored from the snapshot has
 * these chunks as chunks of other creators. A zone in use is at most {@link io.teff.engine.zone.Zones#ZONE_MAX}.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.journal} records the changes. This package is exported to the cluster;
 * applications do not see it.
 */
@NullMarked
package io.teff.engine.zone;

import org.jspecify.annotations.NullMarked;
