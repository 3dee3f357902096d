package io.teff.cluster.peer;

import io.teff.cluster.net.message.RawType;
import io.teff.cluster.net.message.RequestType;
import java.util.concurrent.CompletableFuture;

/** Messages by the model of the network that the world has. */
final class ModelWire implements SimWire {
    private final SimWorld world;

    ModelWire(SimWorld world) {
        this.world = world;
    }

    @Override
    public <Q, R> CompletableFuture<R> request(SimNode from, int nid, RequestType<Q, R> type, Q request,
                                               long timeoutNs) {
        return world.request(from, nid, timeoutNs, SimSuperpeer::answer, request);
    }

    @Override
    public boolean offer(SimPeer from, int fromNid, SimNode to, int nid, int lane, RawType type, byte[] message) {
        boolean isRun = RunTraffic.isRun(type);
        world.send(from, to, () -> ((SimPeer) to).arrived(fromNid, isRun, message));
        return true;
    }

    @Override
    public Runnable operation(SimClient from, SimPeer owner, int nid, byte[] request, long timeoutNs, Told told) {
        int life = owner.lives();
        world.sendOnce(from, owner, () -> owner.execute(life, request, answer -> {
            if (!told.equals(Told.NOBODY)) {
                world.send(owner, from, () -> told.answered(answer));
            }
        }));
        return () -> { };
    }
}
