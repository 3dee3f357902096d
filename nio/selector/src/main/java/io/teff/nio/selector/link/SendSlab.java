package io.teff.nio.selector.link;

import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.MemorySegment;

/**
 * The memory of a piece, and the request of the operation that uses the memory.
 *
 * @param memory room for a head and bytes of a stream
 * @param request of the worker
 */
record SendSlab(MemorySegment memory, UcxRequest request) {}
