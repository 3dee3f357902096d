/**
 * Operations on chunks as messages: the bytes of operations, and the execution at the owner.
 *
 * <p><b>Promise.</b> Only the owner of the zone answers an operation, and the answer leaves only when {@link
 * io.teff.cluster.operation.ZoneHost} allows it. Bytes that are no valid message are refused, and change nothing.
 *
 * <p><b>Neighbours.</b> The client is in {@code io.teff.cluster.client}; a peer implements {@code ZoneHost}.
 */
@NullMarked
package io.teff.cluster.operation;

import org.jspecify.annotations.NullMarked;
