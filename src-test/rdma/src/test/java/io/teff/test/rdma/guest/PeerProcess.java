package io.teff.test.rdma.guest;

import io.teff.rdma.verbs.connect.AddressExchange;
import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The other process of a connection: exchanges addresses, shows its memory, and waits until it is killed. */
final class PeerProcess {
    /** What the memory of the peer begins with. */
    static final long GREETING = 0x7465_6666L;
    /** Printed when the peer is connected. */
    static final String READY = "ready";

    private PeerProcess() {}

    /** The argument is the port of the other side. */
    public static void main(String[] arguments) throws IOException {
        Side side = new Side(Guest.right(), QueuePairSettings.of(QueuePairType.RC));
        side.memory().set(ValueLayout.JAVA_LONG, 0, GREETING);
        side.pair.initialize(Guest.PORT, Access.REMOTE_READ);
        QueuePairAddress own = side.address(500);
        byte[] memory = ByteBuffer.allocate(12).putLong(side.region.address()).putInt(side.region.remoteKey()).array();
        AddressExchange.Peer peer = AddressExchange.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(),
            Integer.parseInt(arguments[0])), own, memory, 20_000);
        side.pair.connect(own, peer.address(), Guest.PORT, Guest.address(side.context).index(), Link.HASTY);
        System.out.println(READY);
        System.in.read();                                       // until the process is killed
        side.close();
    }
}
