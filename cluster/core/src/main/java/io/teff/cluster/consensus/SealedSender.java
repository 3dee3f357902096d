package io.teff.cluster.consensus;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/** The sending end of a stream over UDP: seals its datagrams, and takes answers with a right seal. */
final class SealedSender extends SendChannelEndpoint {
    private final DatagramSeal seal;

    SealedSender(UdpChannel channel, AtomicCounter status, MediaDriver.Context context, DatagramSeal seal) {
        super(channel, status, context);
        this.seal = seal;
    }

    @Override
    public boolean isValidFrame(UnsafeBuffer buffer, int length) {
        return seal.isRight(buffer, length) && super.isValidFrame(buffer, length - DatagramSeal.BYTES);
    }

    @Override
    public int send(ByteBuffer buffer) {
        int length = buffer.remaining();
        return withoutSeal(super.send(seal.add(buffer)), length);
    }

    @Override
    public int send(ByteBuffer buffer, InetSocketAddress target) {
        int length = buffer.remaining();
        return withoutSeal(super.send(seal.add(buffer), target), length);
    }

    /** A datagram is sent as a whole or not at all. */
    private static int withoutSeal(int sent, int length) {
        return sent == length + DatagramSeal.BYTES ? length : 0;
    }
}
