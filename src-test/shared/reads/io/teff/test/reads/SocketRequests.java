package io.teff.test.reads;

import io.teff.engine.offer.EntryPlace;
import io.teff.rdma.reads.ChunkRequests;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;

/** The reader's side of {@link RequestServer}. For one thread. */
public final class SocketRequests implements ChunkRequests {
    private final DataInputStream in;
    private final DataOutputStream out;
    private final byte[] bytes = new byte[1 << 20];

    /** Asks over a socket that is connected to a server. */
    public SocketRequests(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        out = new DataOutputStream(socket.getOutputStream());
    }

    @Override
    public Answer get(long cid, MemorySegment target, long offset) {
        try {
            out.writeLong(cid);
            final long length = in.readLong();
            final EntryPlace place = new EntryPlace(in.readLong(), in.readLong());
            if (length > 0) {
                in.readFully(bytes, 0, (int) length);
                if (length <= target.byteSize() - offset) {
                    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, offset, (int) length);
                }
            }
            return new Answer(length, place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
