/**
 * The collections of a zone at the owner of the zone, as the owner knows them: bytes, without the codecs and classes of
 * the application.
 *
 * <p><b>Promise.</b> A collection is one object at its owner, and is opened at its first use. No change of a collection
 * is under way while the zone is recorded once more. {@link io.teff.cluster.collect.ListRevisions} finds elements of a
 * list that a client has seen earlier. {@link io.teff.cluster.collect.ChangeRing} has the last changes of a watched
 * map.
 *
 * <p><b>Neighbours.</b> {@link io.teff.cluster.operation} executes operations on collections, {@link
 * io.teff.cluster.client} has the collections of applications. Start with {@link io.teff.cluster.collect.ServedMaps}.
 */
@NullMarked
package io.teff.cluster.collect;

import org.jspecify.annotations.NullMarked;
