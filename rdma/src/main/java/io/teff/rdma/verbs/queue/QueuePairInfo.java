package io.teff.rdma.verbs.queue;

/**
 * What the device says about a queue pair.
 *
 * @param state its state now; a failed request may have moved it
 * @param peerNumber the queue pair of the peer; 0 before there is one
 * @param sendSequence the number of the next packet of this side
 * @param receiveSequence the number of the next packet of the peer
 * @param accessMask what peers may do, as a sum of {@link io.teff.rdma.verbs.device.Access#mask}
 * @param isDraining whether sends from before a move to SQD are still under way
 * @param settings the sizes
 */
public record QueuePairInfo(QueuePairState state, int peerNumber, int sendSequence, int receiveSequence, int accessMask,
        boolean isDraining, QueuePairSettings settings) {}
