package io.teff.cluster.consensus;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ImageConnection;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The receiving end of a stream over UDP: takes datagrams with a right seal, and seals its answers. A closed port takes
 * no datagram.
 */
final class SealedReceiver extends ReceiveChannelEndpoint {
    private final DatagramSeal seal;
    private final boolean isClosedPort;

    SealedReceiver(UdpChannel channel, DataPacketDispatcher dispatcher, AtomicCounter status,
                   MediaDriver.Context context, DatagramSeal seal, boolean isClosedPort) {
        super(channel, dispatcher, status, context);
        this.seal = seal;
        this.isClosedPort = isClosedPort;
    }

    @Override
    public boolean isValidFrame(UnsafeBuffer buffer, int length) {
        return !isClosedPort && seal.isRight(buffer, length) && super.isValidFrame(buffer, length - DatagramSeal.BYTES);
    }

    @Override
    public int onDataPacket(DataHeaderFlyweight header, UnsafeBuffer buffer, int length, InetSocketAddress source,
                            int transport) {
        return super.onDataPacket(header, buffer, length - DatagramSeal.BYTES, source, transport);
    }

    @Override
    protected void send(ByteBuffer buffer, int length, ImageConnection[] connections) {
        super.send(sealed(buffer, length), length + DatagramSeal.BYTES, connections);
    }

    @Override
    protected void send(ByteBuffer buffer, int length, int transport, InetSocketAddress target) {
        super.send(sealed(buffer, length), length + DatagramSeal.BYTES, transport, target);
    }

    private ByteBuffer sealed(ByteBuffer buffer, int length) {
        return seal.add(buffer.duplicate().clear().limit(length));
    }
}
