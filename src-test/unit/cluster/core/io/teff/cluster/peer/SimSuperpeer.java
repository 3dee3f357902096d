package io.teff.cluster.peer;

import io.teff.cluster.cell.Requests;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.ServiceRequest;
import io.teff.cluster.message.SessionBeat;
import io.teff.cluster.message.SuperpeersRequest;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.raft.SimRaft;
import io.teff.cluster.superpeer.SuperpeerParts;
import io.teff.engine.os.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A superpeer: the real one on a simulated machine, with a member of the simulated log. */
final class SimSuperpeer extends SimNode {
    private static final long CYCLE_NS = 20 * SimWorld.MS;
    private static final int LATE_ODDS = 8;
    /** Shorter than many faults, so that sessions end. */
    private static final long SESSION_NS = 1_500 * SimWorld.MS;

    final int number;
    private final LeaseTerms terms;
    private final SimCell cell;
    /** What this member has applied; the file on its disk is as new as that. */
    MetadataMachine machine;
    int applied;
    /** Whether the member takes itself for the leading one. */
    boolean leads;
    final List<SimCell.Proposal> waiting = new ArrayList<>();
    /** The real consensus; null with the model. */
    @Nullable SimRaft raft;
    /** Whether the superpeer was removed, and its process ended for good. */
    boolean isGone;
    private SuperpeerParts parts;

    SimSuperpeer(SimWorld world, int number, LeaseTerms terms, SimCell cell, MetadataMachine machine) {
        super(world, "superpeer " + number, world.speed(), world.random.nextLong(1L << 40));
        this.number = number;
        this.terms = terms;
        this.cell = cell;
        this.machine = machine;
        world.named(CellMessages.nid(number), this);
    }

    /** Starts a process, which knows what its disk has. */
    void start() {
        if (isGone) {
            return;
        }
        isUp = true;
        leads = false;
        machine = new MetadataMachine(machine.state());
        if (raft != null) {
            raft.start();
            runRaft();
        }
        parts = new SuperpeerParts(number, cell.log(this), terms, SESSION_NS,
            cell.isSilentAtStart() ? clock : longAgo(clock, terms),
            () -> world.random.nextLong(), requests(world, this));
        world.repeat(this, world.random.nextLong(CYCLE_NS), () -> {
            parts.cycle();
            return CYCLE_NS;
        });
        cell.follow(this);
        world.wire().begun(this);
    }

    /** Returns the real consensus. */
    SimRaft raft() {
        return Objects.requireNonNull(raft);
    }

    /** Takes a message of the real consensus. */
    void receive(int from, byte[] bytes) {
        raft().receive(from, bytes);
        runRaft();
    }

    /** Does due work of the real consensus, and again when the next is due. */
    private void runRaft() {
        long nextNs = raft().run();
        if (nextNs < Long.MAX_VALUE) {
            world.after(this, Math.max(nextNs, SimWorld.MS / 10), this::runRaft);
        }
    }

    /** Returns the tables of this member. */
    MachineState tables() {
        return raft == null ? machine.state() : raft.read(MetadataMachine::state);
    }

    SuperpeerParts parts() {
        return parts;
    }

    /** A clock whose first time is two terms ago. */
    private static Clock longAgo(Clock its, LeaseTerms terms) {
        AtomicBoolean isRead = new AtomicBoolean();
        return () -> its.nowNs() - (isRead.getAndSet(true) ? 0 : 2 * terms.promisedNs());
    }

    @Override
    void end(boolean hasNoPower) {
        super.end(hasNoPower);
        if (raft != null) {
            raft.end(hasNoPower);
        }
        leads = false;
        waiting.clear();
    }

    /** Returns what sends the requests of a node to superpeers. */
    static Requests requests(SimWorld world, SimNode from) {
        return requests(world, from, UnaryOperator.identity());
    }

    /** Returns what sends the requests of a node to superpeers, with changed heartbeats. */
    static Requests requests(SimWorld world, SimNode from, UnaryOperator<Heartbeat> heartbeats) {
        return new Requests() {
            @Override
            @SuppressWarnings("unchecked")                      // a heartbeat takes the place of a heartbeat
            public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q asked, long timeoutNs) {
                Q request = asked instanceof Heartbeat beat ? (Q) heartbeats.apply(beat) : asked;
                if ((request instanceof Command.Vote || request instanceof Command.SuperpeerLife) && !world.isHealed()
                    && world.random.nextInt(LATE_ODDS) == 0) {
                    return late(world, from, nid, type, timeoutNs, request);
                }
                return world.wire().request(from, nid, type, request, timeoutNs);
            }
        };
    }

    /** Sends a command late: its thread rests between the decision and the sending. */
    private static <Q, R> CompletableFuture<R> late(SimWorld world, SimNode from, int nid, RequestType<Q, R> type,
                                                    long timeoutNs, Q request) {
        CompletableFuture<R> result = new CompletableFuture<>();
        world.after(from, world.between(100 * SimWorld.MS, 1_000 * SimWorld.MS), () -> {
            CompletableFuture<R> sent;
            try {
                sent = world.wire().request(from, nid, type, request, timeoutNs);
            } catch (NetworkException e) {
                result.completeExceptionally(e);
                return;
            }
            var _ = sent.whenComplete((answer, failure) -> {
                if (failure == null) {
                    result.complete(answer);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        });
        return result;
    }

    @SuppressWarnings("unchecked")
    static <R> CompletableFuture<R> answer(SimNode at, Object request) {
        SuperpeerParts parts = ((SimSuperpeer) at).parts;
        try {
            return (CompletableFuture<R>) switch (request) {
                case Command command -> parts.command(command);
                case ServiceRequest asked -> parts.service(asked);
                default -> CompletableFuture.completedFuture(answer(parts, request));
            };
        } catch (IllegalStateException e) {                     // no answer for the asking node
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Object answer(SuperpeerParts parts, Object request) {
        return switch (request) {
            case Heartbeat heartbeat -> parts.heartbeat(heartbeat);
            case SessionBeat beat -> parts.session(beat);
            case TableRequest table -> parts.table(table);
            case SuperpeersRequest _ -> parts.superpeers();
            default -> throw new AssertionError(request);
        };
    }
}
