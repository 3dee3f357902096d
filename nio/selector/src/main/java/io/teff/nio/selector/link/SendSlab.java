package io.teff.nio.selector.link;

import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The memory of a piece, and the request of the operation that uses the memory.
 *
 * @param memory room for a head and bytes of a stream
 * @param view the same memory, whose position and limit nobody changes
 * @param request of the worker
 */
record SendSlab(MemorySegment memory, ByteBuffer view, UcxRequest request) {
    SendSlab(MemorySegment memory, UcxRequest request) {
        this(memory, memory.asByteBuffer(), request);
    }
}
