package io.teff.cluster.consensus;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.exceptions.AeronException;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.engine.os.Clock;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.engine.os.PrivateFolder;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The replicated log on Aeron Cluster.
 *
 * <p>The leading member proposes as a client of the member's own consensus module, over shared memory. A single thread,
 * the proposer, owns this client: the proposer connects while the member leads, offers new proposals, and repeats
 * proposals without a reply after {@link #REPEAT_NS}. The reply to a proposal comes from this member's own service,
 * when the service applies the command.
 */
public final class AeronLog implements MemberLog {
    private static final long REPEAT_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long KEEP_ALIVE_NS = TimeUnit.SECONDS.toNanos(1);
    /** Between two looks while replies are outstanding, or while the proposer connects. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(4);
    /** A proposal and a change of the leader wake the proposer. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Time between the limit of the archive's answer and the limit of the start. */
    private static final long START_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final String ADVICE = "; if the other superpeers have their data, move the whole folder away, and "
        + "this one gets the log from them";
    private static final List<String> MARK_FILES = List.of(MemberFiles.ARCHIVE_MARK, MemberFiles.CONSENSUS_MARK,
        MemberFiles.SERVICE_MARK);

    private final MemberConfig config;
    private final Consumer<Throwable> errors;
    private final Clock clock;
    private final MetadataService service;
    private final AeronMember member;
    private final SnapshotKeeper keeper;
    private final Thread proposer;
    private final long startLimitNs;
    private final long archiveLimitNs;
    private final ArchiveDamage damage = new ArchiveDamage();
    private final long life;
    private final AtomicLong sequence = new AtomicLong();
    private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
    private volatile boolean leads;
    private volatile boolean accepts;
    private volatile boolean isEnded;
    private volatile boolean isDiskFull;
    private final AtomicBoolean hasToldFull = new AtomicBoolean();
    private volatile boolean isClosed;
    private AeronCluster.@Nullable AsyncConnect connecting;
    private @Nullable AeronCluster client;
    private long keptAliveNs;

    /** A proposal without a reply. */
    private static final class Pending {
        private final byte[] bytes;
        private final CompletableFuture<CommandReply> reply = new CompletableFuture<>();
        private long offeredNs;
        private boolean isOffered;

        Pending(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /**
     * Starts a member. Returns at once; the member joins the other members in the background.
     *
     * @param config of the member
     * @param idleMs how long the member's threads sleep when there is no work, in milliseconds, from 1 to 100
     * @param platform clock, threads, chance and disk
     * @param errors receives errors of Aeron; Aeron recovers from most errors
     * @return the member
     * @throws UncheckedIOException if the folder cannot be used
     */
    public static AeronLog start(MemberConfig config, long idleMs, Platform platform, Consumer<Throwable> errors) {
        return start(config, false, idleMs, platform, errors);
    }

    /**
     * Starts a member, or a newcomer without a part in elections.
     *
     * @param config of the member
     * @param isNewcomer whether the member is no candidate; the member's folder keeps the member from voting, see
     *     {@link MemberFolder}
     * @param idleMs how long the member's threads sleep when there is no work, in milliseconds, from 1 to 100
     * @param platform clock, threads, chance and disk
     * @param errors receives errors of Aeron; Aeron recovers from most errors
     * @return the member
     * @throws UncheckedIOException if the folder cannot be used
     */
    public static AeronLog start(MemberConfig config, boolean isNewcomer, long idleMs, Platform platform,
                                 Consumer<Throwable> errors) {
        return start(config, isNewcomer, AeronMember.Tuning.of(idleMs), platform, errors);
    }

    static AeronLog start(MemberConfig config, boolean isNewcomer, AeronMember.Tuning tuning, Platform platform,
                          Consumer<Throwable> errors) {
        try {
            platform.disk().createSyncedFolders(config.folder());
            PrivateFolder.close(config.folder());               // of the driver, too: its files are the way to propose
            for (String mark : MARK_FILES) {
                Files.deleteIfExists(config.folder().resolve(mark));     // of a killed process; ours is the lock
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the superpeer's folder " + config.folder() + " cannot be used: "
                + FailureText.of(e), e);
        }
        return new AeronLog(config, isNewcomer, tuning, platform, errors);
    }

    private AeronLog(MemberConfig config, boolean isNewcomer, AeronMember.Tuning tuning, Platform platform,
                     Consumer<Throwable> errors) {
        this.config = config;
        this.errors = errors;
        clock = platform.clock();
        life = platform.chance().nextLong();
        proposer = platform.threads().create("teff-superpeer-proposer", this::run);
        service = new MetadataService(config.settings(), new MetadataService.Listener() {
            @Override
            public void applied(ProposalCodec.Proposal proposal, CommandReply reply) {
                complete(proposal, reply);
            }

            @Override
            public void role(boolean isLeading) {
                leads = isLeading && !isEnded;
                LockSupport.unpark(proposer);
            }

            @Override
            public void skipped(String text) {
                errors.accept(new IllegalStateException(text));
            }

            @Override
            public void ended(IllegalStateException failure) {
                errors.accept(failure);
                AeronLog.this.ended();
            }
        });
        archiveLimitNs = tuning.archiveNs() + START_NS;
        startLimitNs = clock.nowNs() + archiveLimitNs;
        member = AeronMember.launch(config, isNewcomer, service, tuning, platform.threads(), this::failed,
            this::archiveFailed, this::ended);
        keeper = new SnapshotKeeper(config, new SnapshotKeeper.Member() {
            @Override
            public boolean isDue() {
                return accepts && service.isDue(config.bound());
            }

            @Override
            public long lastSnapshot() {
                return service.lastSnapshot();
            }

            @Override
            public boolean snapshot() {
                return AeronLog.this.snapshot();
            }
        }, platform, errors);
        keeper.start();
        proposer.start();
    }

    private void archiveFailed(Throwable failure) {
        damage.note(failure);
        failed(failure);
    }

    /**
     * Ends the member if the disk of the member is full: a thread of Aeron that has met a full disk does not try again.
     */
    private void failed(Throwable failure) {
        errors.accept(failure);
        if (MemberRoom.isOfFullDisk(failure)) {
            isDiskFull = true;
            if (MemberRoom.isShort(config.folder())) {          // otherwise the failure may belong to another member
                ended();
            }
        }
    }

    private void ended() {
        leads = false;
        accepts = false;
        if (MemberRoom.isShort(config.folder())) {
            isDiskFull = true;                                  // a mapped page without room is an error of the JVM
        }
        if (isDiskFull && hasToldFull.compareAndSet(false, true)) {
            errors.accept(new DiskFullException(config.folder() + ": the disk is full; the member goes on when "
                + (MemberRoom.BYTES_MIN >> 20) + " MiB are free", null));
        }
        isEnded = true;
    }

    private void complete(ProposalCodec.Proposal proposal, CommandReply reply) {
        if (proposal.member() == config.number() && proposal.life() == life) {
            Pending done = pending.remove(proposal.sequence());
            if (done != null) {
                done.reply.complete(reply);
            }
        }
    }

    @Override
    public CompletableFuture<CommandReply> propose(Command command) {
        if (!accepts) {
            return CompletableFuture.failedFuture(new NotLeadingException());
        }
        long number = sequence.incrementAndGet();
        byte[] bytes = ProposalCodec.bytes(new ProposalCodec.Proposal(config.number(), life, number, command));
        if (bytes.length > AeronMember.PROPOSAL_BYTES_MAX) {
            return CompletableFuture.completedFuture(new CommandReply.Refused("the command "
                + command.getClass().getSimpleName() + " has " + bytes.length + " bytes, more than "
                + AeronMember.PROPOSAL_BYTES_MAX, true));
        }
        Pending added = new Pending(bytes);
        pending.put(number, added);
        if (!accepts) {
            failAll();                                          // the member has stopped leading in between
        }
        LockSupport.unpark(proposer);
        return added.reply;
    }

    @Override
    public boolean isLeading() {
        return accepts;
    }

    @Override
    public long position() {
        return service.position();
    }

    @Override
    public boolean isElecting() {
        return member.isElecting();
    }

    @Override
    public <T> T read(Function<MetadataMachine, T> reader) {
        return service.read(reader);
    }

    @Override
    public boolean needsRoom() {
        return isEnded && isDiskFull;
    }

    @Override
    public @Nullable String failure() {
        if (isClosed || needsRoom()) {
            return null;
        }
        if (isEnded) {
            return "the replicated log has ended, see the lines above in the node's log";
        }
        long nowNs = clock.nowNs();
        if (!service.isStarted() && nowNs - startLimitNs >= 0) {
            return "the replicated log has not started in time: its archive in " + config.folder()
                + " gives no answer; is the disk or the machine too slow?";
        }
        String archive = "the archive in " + config.folder();
        if (damage.found() != null) {
            return archive + " is damaged: " + damage.found() + ADVICE;
        }
        return !member.isArchiveStill(nowNs, archiveLimitNs) ? null : archive + " has not ended a step for "
            + TimeUnit.NANOSECONDS.toSeconds(archiveLimitNs) + " s: its disk does not answer, or its files are damaged"
            + ADVICE;
    }

    /** Returns the log position of the snapshot read by this member at its start; 0 if there was no snapshot. */
    long startedAt() {
        return service.startedAt();
    }

    /** Takes a snapshot soon, if this member leads; returns whether the member takes a snapshot. */
    public boolean snapshot() {
        return member.snapshot();
    }

    // ---- the proposer ----

    private void run() {
        while (!isClosed) {
            int work = 0;
            try {
                work = leads ? lead() : rest();
            } catch (AeronException e) {
                disconnect();                                   // the session has ended: connect again
            }
            if (work == 0) {
                clock.park(this, leads && (client == null || !pending.isEmpty()) ? PAUSE_NS : IDLE_NS);
            }
        }
        rest();
    }

    private int rest() {
        accepts = false;
        disconnect();
        failAll();
        return 0;
    }

    private void failAll() {
        Iterator<Pending> all = pending.values().iterator();
        while (all.hasNext()) {
            Pending next = all.next();
            all.remove();
            next.reply.completeExceptionally(new NotLeadingException());
        }
    }

    private int lead() {
        if (client == null) {
            return connect();
        }
        long now = clock.nowNs();
        int work = client.pollEgress();
        if (client.isClosed()) {
            disconnect();
            return 1;
        }
        if (now - keptAliveNs > KEEP_ALIVE_NS) {
            client.sendKeepAlive();
            keptAliveNs = now;
        }
        for (Pending next : pending.values()) {
            if (!next.isOffered || now - next.offeredNs > REPEAT_NS) {
                if (client.offer(new UnsafeBuffer(next.bytes), 0, next.bytes.length) > 0) {
                    next.isOffered = true;
                    next.offeredNs = now;
                    work++;
                }
            }
        }
        return work;
    }

    private int connect() {
        if (connecting == null) {
            connecting = AeronCluster.asyncConnect(new AeronCluster.Context()
                .aeronDirectoryName(AeronMember.driverFolder(config.folder()))
                .ingressChannel(AeronMember.SMALL_IPC).egressChannel(AeronMember.SMALL_IPC)
                .messageTimeoutNs(CONNECT_NS));
        }
        client = connecting.poll();
        if (client != null) {
            connecting = null;
            keptAliveNs = clock.nowNs();
            accepts = true;
        }
        return client == null ? 0 : 1;
    }

    private void disconnect() {
        accepts = false;
        if (connecting != null) {
            connecting.close();
            connecting = null;
        }
        if (client != null) {
            client.close();
            client = null;
        }
        pending.values().forEach(next -> next.isOffered = false);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            LockSupport.unpark(proposer);
            Threads.join(proposer);
            keeper.close();
            member.close();
        }
    }
}
