/**
 * Operations on chunks as messages: their bytes, and their execution at the owner.
 *
 * <p><b>Promise.</b> An operation is answered only by the owner of its zone, and its answer leaves only when {@link
 * io.teff.cluster.operation.ZoneHost} allows it. Bytes that are no valid message are refused, and change nothing.
 *
 * <p><b>Neighbours.</b> The client is in {@code io.teff.cluster.client}; a peer implements {@code ZoneHost}.
 */
@NullMarked
package io.teff.cluster.operation;

import org.jspecify.annotations.NullMarked;
