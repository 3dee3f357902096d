package io.teff.nio.selector.link;

import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.MemorySegment;

/**
 * The memory of a piece, and the request of the operation that uses the memory.
 *
 * @param memory {@link PieceLayout#SIZE} bytes
 * @param request of the worker
 */
record SendBuffer(MemorySegment memory, UcxRequest request) {}
