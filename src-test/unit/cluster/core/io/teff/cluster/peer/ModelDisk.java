package io.teff.cluster.peer;

import io.teff.cluster.meta.NodeRef;
import io.teff.recovery.backup.ZoneCopy;
import java.util.SplittableRandom;
import java.util.UUID;

/** A disk whose log is a model in memory. */
final class ModelDisk implements SimDisk {
    private final SimPeer peer;
    private final SplittableRandom random;
    private MemoryCopyLog log;
    private UUID folder;

    ModelDisk(SimPeer peer) {
        this.peer = peer;
        random = peer.world.random;
        log = newLog();
        folder = newFolder();
    }

    private MemoryCopyLog newLog() {
        MemoryCopyLog made = peer.plant().log(new MemoryCopyLog(peer.observer()));
        made.withDevice(peer::syncSoon);
        return made;
    }

    private UUID newFolder() {
        return new UUID(peer.number(), random.nextLong());
    }

    @Override
    public boolean open() {
        log.reopen(random);
        return true;
    }

    @Override
    public MemoryCopyLog log() {
        return log;
    }

    @Override
    public UUID folder() {
        return folder;
    }

    @Override
    public boolean begins(int incarnation) {
        return true;
    }

    @Override
    public boolean notesFailure() {
        return true;                                            // the sync that was refused has noted it
    }

    @Override
    public void work() {
        log.sync();
    }

    @Override
    public void kill() {
        log.processEnds();
    }

    @Override
    public void cutPower() {
        log.cutPower(random);
        noteCut();
    }

    private void noteCut() {
        NodeRef last = peer.lastLife();
        if (last != null) {
            log.cut(last.incarnation());
        }
    }

    @Override
    public void lose() {
        log = newLog();
        folder = newFolder();
    }

    @Override
    public void failSync() {
        noteCut();
        log.fail();
    }

    @Override
    public void full(boolean is) {
        log.full(is);
    }

    @Override
    public void refuseReads(boolean is) {
        log.refuseReads(is);
    }

    @Override
    public void damage() {
        log.damage();
    }

    @Override
    public boolean repair() {
        log.repair();
        return false;
    }

    @Override
    public boolean wasCut(ZoneCopy copy) {
        return log.wasCut(copy);
    }

    @Override
    public void end() {
        // has no memory outside of the heap
    }
}
