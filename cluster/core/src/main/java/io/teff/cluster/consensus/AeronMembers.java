package io.teff.cluster.consensus;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.LogOrigin;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Members on Aeron Cluster. For one thread. */
public final class AeronMembers implements LogMembers {
    private final MemberConfig config;
    private final MemberFolder folder;
    private final long idleMs;
    private final Platform platform;
    private final NodeLog log;

    /**
     * Uses a folder.
     *
     * @param config configuration of the member
     * @param folder of the member
     * @param idleMs how long the member's threads sleep when there is no work, in milliseconds, from 1 to 100
     * @param platform clock, threads, chance and disk
     * @param log receives the events of the log
     */
    public AeronMembers(MemberConfig config, MemberFolder folder, long idleMs, Platform platform, NodeLog log) {
        this.config = config;
        this.folder = folder;
        this.idleMs = idleMs;
        this.platform = platform;
        this.log = log;
    }

    @Override
    public MemberLog start(boolean isNewcomer) {
        return AeronLog.start(config, isNewcomer, idleMs, platform, this::failed);
    }

    @Override
    public boolean hasRoom() {
        return !MemberRoom.isShort(config.folder());
    }

    @Override
    public boolean isOfFullDisk(Exception failure) {
        return MemberRoom.isOfFullDisk(failure);
    }

    private void failed(Throwable failure) {
        String text = FailureText.of(failure);
        log.log(NodeEvent.CONSENSUS, NodeLog.words(text), text);
    }

    @Override
    public boolean copy(int source, LogOrigin origin, BooleanSupplier isCancelled) {
        log.log(NodeEvent.CONSENSUS, "the other superpeers have deleted what is missing here; copies the snapshot at "
            + origin.snapshot().position() + " and the log of superpeer " + source);
        try {
            Path copy = folder.beginCopy();
            LogCopy.run(config, copy, source, origin, idleMs, platform.clock(), this::failed, isCancelled);
            folder.endCopy();
            log.log(NodeEvent.CONSENSUS, "has copied the log of superpeer " + source);
            return true;
        } catch (IOException e) {
            failed(e);
            return false;
        }
    }
}
