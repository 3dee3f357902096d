package io.teff.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.microraft.model.log.LogEntry;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.RaftMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: the filter changes nothing but messages that begin at or in front of a snapshot, and answers of earlier terms.
 * Method: all logs and messages up to a few entries, against what Raft demands.
 */
class RaftFilterTest {
    private static final RaftId LEADER = new RaftId(1, 7);
    private static final int TERM = 3;
    private static final RaftFilter FILTER = new RaftFilter();

    /** A log with a snapshot, and entries behind with these terms. */
    private record Log(long snapshotIndex, int snapshotTerm, long firstIndex, List<Integer> terms) implements LogView {
        @Override
        public long lastIndex() {
            return firstIndex + terms.size() - 1;
        }

        @Override
        public int term(long index) {
            return terms.get((int) (index - firstIndex));
        }
    }

    private static LogEntry entry(long index, int term) {
        return RaftBytes.MODEL.createLogEntryBuilder().setIndex(index).setTerm(term).setOperation(new byte[] {1})
            .build();
    }

    private static AppendEntriesRequest append(long previous, int previousTerm, List<LogEntry> entries) {
        return RaftBytes.MODEL.createAppendEntriesRequestBuilder().setGroupId(1L).setSender(LEADER).setTerm(TERM)
            .setPreviousLogIndex(previous).setPreviousLogTerm(previousTerm).setCommitIndex(5).setLogEntries(entries)
            .setQuerySequenceNumber(8).setFlowControlSequenceNumber(9).build();
    }

    private static AppendEntriesSuccessResponse answer(int term, long last) {
        return RaftBytes.MODEL.createAppendEntriesSuccessResponseBuilder().setGroupId(1L).setSender(LEADER)
            .setTerm(term).setLastLogIndex(last).setQuerySequenceNumber(8).setFlowControlSequenceNumber(9).build();
    }

    private static RaftFilter.Passed pass(RaftMessage message, LogView log) {
        RaftFilter.Passed passed = FILTER.pass(message, TERM, log);
        assertNotNull(passed);
        return passed;
    }

    @Test
    void answer_ofAnEarlierTerm_isDropped() {
        Log log = new Log(0, 0, 1, List.of(1));
        assertNull(FILTER.pass(answer(TERM - 1, 3), TERM, log));
        assertNull(FILTER.pass(RaftBytes.MODEL.createAppendEntriesFailureResponseBuilder().setGroupId(1L)
            .setSender(LEADER).setTerm(TERM - 1).setExpectedNextIndex(1).setQuerySequenceNumber(1)
            .setFlowControlSequenceNumber(1).build(), TERM, log));
        RaftMessage current = answer(TERM, 3);
        assertSame(current, pass(current, log).message());
        RaftMessage later = answer(TERM + 1, 3);
        assertSame(later, pass(later, log).message());
    }

    @Test
    void message_behindTheSnapshot_isNotChanged() {
        AppendEntriesRequest behind = append(7, 2, List.of(entry(8, 3)));
        assertSame(behind, pass(behind, new Log(5, 2, 6, List.of(2, 2))).message());
        AppendEntriesRequest withoutSnapshot = append(0, 0, List.of(entry(1, 3)));
        assertSame(withoutSnapshot, pass(withoutSnapshot, new Log(0, 0, 1, List.of(2, 2))).message());
        AppendEntriesRequest atKept = append(4, 1, List.of(entry(5, 2)));
        assertSame(atKept, pass(atKept, new Log(5, 2, 4, List.of(1, 2, 2))).message());
        AppendEntriesRequest ofEarlierLeader = RaftBytes.MODEL.createAppendEntriesRequestBuilder().setGroupId(1L)
            .setSender(LEADER).setTerm(TERM - 1).setPreviousLogIndex(5).setPreviousLogTerm(1).setLogEntries(List.of())
            .setQuerySequenceNumber(0).setFlowControlSequenceNumber(0).build();
        assertSame(ofEarlierLeader, pass(ofEarlierLeader, new Log(5, 2, 6, List.of(2))).message());
    }

    /** The last index that the member answers, and what its log has afterwards, are those of Raft. */
    @Test
    void messagesAtTheSnapshot_haveTheEffectThatRaftDemands() {
        for (int own = 0; own <= 3; own++) {
            for (int same = 0; same <= own; same++) {
                for (long previous = 1; previous <= 5; previous++) {
                    for (int count = 0; count <= 8; count++) {
                        check(own, same, previous, count);
                    }
                }
            }
        }
    }

    /** A member with snapshot 5 and own entries behind, of which some are those of the leader. */
    private static void check(int own, int same, long previous, int count) {
        List<Integer> terms = new ArrayList<>();
        for (int i = 0; i < own; i++) {
            terms.add(i < same ? 3 : 2);
        }
        Log log = new Log(5, 2, 6, terms);
        List<LogEntry> entries = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            entries.add(entry(previous + i, previous + i <= 5 ? 2 : 3));
        }
        RaftFilter.Passed passed = pass(append(previous, 2, entries), log);
        AppendEntriesRequest handled = (AppendEntriesRequest) passed.message();
        String what = "own " + own + " same " + same + " previous " + previous + " count " + count;
        assertEquals(9, handled.getFlowControlSequenceNumber(), what);
        Handled result = handle(handled, log);
        assertEquals(previous + count, result.lastIndex() + passed.offset(), what);
        long agreed = Math.max(5, previous + count);
        for (long index = 6; index <= agreed; index++) {
            assertEquals(3, result.terms().get((int) (index - 6)), what);
        }
        boolean isReplaced = agreed > 5 + same;
        assertEquals(isReplaced ? agreed - 5 : own, result.terms().size(), what);
    }

    private record Handled(long lastIndex, List<Integer> terms) {}

    /** Does what MicroRaft does with a message whose entry in front is found. */
    private static Handled handle(AppendEntriesRequest append, Log log) {
        long previous = append.getPreviousLogIndex();
        if (previous > 0) {
            boolean isSnapshot = previous == 5 && log.lastIndex() == 5;
            assertEquals(append.getPreviousLogTerm(), isSnapshot ? log.snapshotTerm() : log.term(previous));
        }
        List<Integer> terms = new ArrayList<>(log.terms());
        for (LogEntry entry : append.getLogEntries()) {
            int at = (int) (entry.getIndex() - 6);
            if (at < terms.size() && terms.get(at) != entry.getTerm()) {
                terms.subList(at, terms.size()).clear();
            }
            if (at >= terms.size()) {
                terms.add(entry.getTerm());
            }
        }
        return new Handled(previous + append.getLogEntries().size(), terms);
    }

    @Test
    void answer_hasTheOffsetOfItsMessage() {
        RaftMessage mended = RaftFilter.answer(answer(TERM, 2), 5);
        assertEquals(7, ((AppendEntriesSuccessResponse) mended).getLastLogIndex());
        assertEquals(9, ((AppendEntriesSuccessResponse) mended).getFlowControlSequenceNumber());
    }
}
