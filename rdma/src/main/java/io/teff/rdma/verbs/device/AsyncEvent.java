package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaObject;
import org.jspecify.annotations.Nullable;

/**
 * An event that does not belong to a work request.
 *
 * @param type what has happened
 * @param port the number of the port; 0 for events without a port
 * @param source the queue pair, completion queue or shared receive queue; null for events of ports and of the device,
 *     and for objects that were closed meanwhile
 */
public record AsyncEvent(AsyncEventType type, int port, @Nullable RdmaObject source) {}
