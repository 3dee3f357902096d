package io.teff.cluster.superpeer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.SessionBeat;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.RebuiltTables;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Clock;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A superpeer whose cell is being rebuilt has no answers for nodes and clients until it has all parts. */
class RebuildGateTest {
    private static final int ZONE = 7;
    private static final long VERSION = 1L << 32;
    private static final Command.Join JOIN = new Command.Join(new UUID(1, 1), 1, "tcp:x", Roles.PEER);
    private static final Command.ZoneSought SOUGHT = new Command.ZoneSought(ZONE);

    private final SuperpeerLog log = new MemoryLog(new MachineState.Settings(1, 2)).member(true);

    private CellAnswers answers(boolean isRebuilding) {
        CellAnswers answers = new CellAnswers(0, log, LeaseTerms.DEFAULT, Clock.SYSTEM, isRebuilding);
        answers.serve();
        return answers;
    }

    private static Command.ZonesRebuilt part(int part) {
        List<ZoneRow> rows = part == 0 ? List.of() : List.of(new ZoneRow(ZONE, 300, ZoneState.LOST, false, null,
            List.of(), List.of(), List.of(), 9, VERSION + part));
        return new Command.ZonesRebuilt(3, part, 2, new RebuiltTables(ClusterId.NONE, VERSION + part, 300, 80,
            1_000, List.of(), rows));
    }

    private void assertSilent(CellAnswers answers) {
        long version = log.read(MetadataMachine::version);
        for (Command command : List.of(JOIN, SOUGHT, new Command.ClientOpen(5), new Command.ClientGone(1))) {
            assertSame(CommandAnswer.NOT_LEADING, answers.command(command).join(), command::toString);
        }
        assertThrows(IllegalStateException.class, () -> answers.table(new TableRequest(0)));
        assertThrows(IllegalStateException.class, () -> answers.session(new SessionBeat(4)));
        assertEquals(version, log.read(MetadataMachine::version));
    }

    @Test
    void cellThatIsRebuilt_beforeTheFirstPartAndBetweenParts_isSilent_andAnswersAfterTheLast() {
        CellAnswers answers = answers(true);
        assertEquals(new CommandReply.Done(), answers.command(new Command.SuperpeerLife(0, 0, 9)).join().reply());
        assertSilent(answers);
        assertEquals(new CommandReply.Done(), answers.command(part(0)).join().reply());
        assertSilent(answers);
        assertEquals(new CommandReply.Done(), answers.command(part(1)).join().reply());
        assertEquals(new CommandReply.Done(), answers.command(SOUGHT).join().reply());
        assertEquals(VERSION + 1, answers.table(new TableRequest(0)).version());
        assertEquals(1, answers.table(new TableRequest(0)).zones().size());
        assertEquals(true, answers.session(new SessionBeat(4)).hasEnded());
        assertInstanceOf(CommandReply.SessionOpened.class, answers.command(new Command.ClientOpen(5)).join().reply());
    }

    @Test
    void cellWhoseLinksNameNoClusterYet_isSilent() {
        CellAnswers answers = new CellAnswers(0, log, LeaseTerms.DEFAULT, Clock.SYSTEM, false);
        assertSilent(answers);
        answers.serve();
        assertInstanceOf(CommandReply.Joined.class, answers.command(JOIN).join().reply());
    }

    @Test
    void superpeerOfAnotherCluster_isSilent() {
        CellAnswers answers = answers(false);
        answers.stop("another cluster");
        assertSilent(answers);
        assertThrows(IllegalStateException.class,
            () -> answers.heartbeat(new Heartbeat(new NodeRef(16, 1), 1, 0)));
        assertEquals("another cluster", answers.misfit());
    }

    @Test
    void otherCells_answerAtOnce() {
        CellAnswers answers = answers(false);
        assertInstanceOf(CommandReply.Refused.class, answers.command(SOUGHT).join().reply());
        assertInstanceOf(CommandReply.Joined.class, answers.command(JOIN).join().reply());
        assertEquals(1, answers.table(new TableRequest(0)).nodes().size());
    }
}
