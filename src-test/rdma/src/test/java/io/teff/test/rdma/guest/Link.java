package io.teff.test.rdma.guest;

import io.teff.rdma.verbs.device.PathMtu;
import io.teff.rdma.verbs.queue.ConnectSettings;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;

/** Two connected sides, at the two ends of the cable. */
final class Link implements AutoCloseable {
    static final ConnectSettings PATIENT = ConnectSettings.of(PathMtu.MTU_4096);
    /** Gives up after some tens of milliseconds without an acknowledgement, and at once without a receive. */
    static final ConnectSettings HASTY = PATIENT.withRetries(10, 2, 0);

    final Side left;
    final Side right;

    private Link(QueuePairSettings settings, ConnectSettings connect) {
        left = new Side(Guest.left(), settings);
        right = new Side(Guest.right(), settings);
        Side.connect(left, right, connect);
    }

    static Link of(QueuePairType type) {
        return of(QueuePairSettings.of(type), PATIENT);
    }

    static Link of(QueuePairSettings settings, ConnectSettings connect) {
        return new Link(settings, connect);
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }
}
