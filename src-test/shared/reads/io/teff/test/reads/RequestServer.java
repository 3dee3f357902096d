package io.teff.test.reads;

import io.teff.engine.offer.EntryPlace;
import io.teff.engine.offer.MemoryOffer;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;

/** Answers the requests of one reader over a socket. */
public final class RequestServer {
    private final MemoryOffer offer;

    /** A server that has answered nothing. */
    public RequestServer(MemoryOffer offer) {
        this.offer = offer;
    }

    /** Answers requests until the socket ends. */
    public void serve(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
        final MemorySegment content = Arena.ofAuto().allocate(1 << 20);
        final byte[] bytes = new byte[1 << 20];
        try {
            while (true) {
                final long cid = in.readLong();
                final long length = offer.store().get(cid, content, 0);
                final EntryPlace place = offer.place(cid);
                out.writeLong(length);
                out.writeLong(place.epoch());
                out.writeLong(place.address());
                if (length > 0) {
                    MemorySegment.copy(content, ValueLayout.JAVA_BYTE, 0, bytes, 0, (int) length);
                    out.write(bytes, 0, (int) length);
                }
                out.flush();
            }
        } catch (EOFException _) {
            // the reader has ended
        }
    }
}
