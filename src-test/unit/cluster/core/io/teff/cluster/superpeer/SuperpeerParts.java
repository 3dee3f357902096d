package io.teff.cluster.superpeer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.HeartbeatAnswer;
import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.message.ServiceRequest;
import io.teff.cluster.message.SessionBeat;
import io.teff.cluster.message.SessionBeatAnswer;
import io.teff.cluster.message.SuperpeersAnswer;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import java.util.concurrent.CompletableFuture;

/** A superpeer without network and thread, for simulations in other packages. */
public final class SuperpeerParts {
    private final SuperpeerLog log;
    private final CellAnswers answers;
    private final SuperpeerDuty duty;

    /** Begins a process of a superpeer. */
    public SuperpeerParts(int number, SuperpeerLog log, LeaseTerms terms, long sessionNs, Clock clock,
                          Chance chance, Requests requests) {
        this.log = log;
        answers = new CellAnswers(number, log, terms, sessionNs, clock, false);
        answers.serve();
        duty = new SuperpeerDuty(number, "", log, ClusterId.NONE, clock, chance, answers,
            new CellClient(requests, () -> log.read(MetadataMachine::superpeers), number));
    }

    /** Does what is due now. */
    public void cycle() {
        duty.cycle();
    }

    /** Registers the handlers. Where a thread of the product waits for the replicated log, the answer comes later. */
    public void register(Network network) {
        network.answerShort(CellMessages.HEARTBEAT, (_, heartbeat) -> answers.heartbeat(heartbeat));
        network.answerShort(CellMessages.SESSION, (_, beat) -> answers.session(beat));
        network.answer(CellMessages.TABLE, (_, request) -> answers.table(request));
        network.answer(CellMessages.SUPERPEERS, (_, _) -> superpeers());
        network.answerLater(CellMessages.COMMAND, HandledBy.HANDLERS, (_, command, answer) -> {
            var _ = answers.command(command).thenAccept(answer::complete);
        });
    }

    /** Answers with the superpeers. */
    public SuperpeersAnswer superpeers() {
        return new SuperpeersAnswer(log.read(MetadataMachine::superpeers));
    }

    /** Answers a heartbeat. */
    public HeartbeatAnswer heartbeat(Heartbeat heartbeat) {
        return answers.heartbeat(heartbeat);
    }

    /** Answers the sign of life of a session. */
    public SessionBeatAnswer session(SessionBeat beat) {
        return answers.session(beat);
    }

    /** Answers a client of services; the answer comes now or later. */
    public CompletableFuture<ServiceAnswer> service(ServiceRequest request) {
        CompletableFuture<ServiceAnswer> answered = new CompletableFuture<>();
        answers.services().answer(request, new Answer<>() {
            @Override
            public boolean complete(ServiceAnswer answer) {
                return answered.complete(answer);
            }

            @Override
            public int from() {
                return 0;
            }

            @Override
            public boolean fail(String reason) {
                return answered.completeExceptionally(new IllegalStateException(reason));
            }

            @Override
            public boolean isOpen() {
                return !answered.isDone();
            }
        });
        return answered;
    }

    /** Proposes a command of a node. */
    public CompletableFuture<CommandAnswer> command(Command command) {
        return answers.command(command);
    }

    /** Answers with rows. */
    public TableAnswer table(TableRequest request) {
        return answers.table(request);
    }
}
