package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.teff.cluster.consensus.NewMember.Next;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a superpeer with an empty folder does, for every set of members with a part, lost disks and answers. */
class NewMemberTest {
    @Test
    void next_dependsOnAllAnswers() {
        assertEquals(Next.FOUND, NewMember.next(Arrays.asList(false, false)));
        assertEquals(Next.WAIT, NewMember.next(Arrays.asList(false, null)));
        assertEquals(Next.REPLACE, NewMember.next(Arrays.asList(null, true)));
        assertEquals(Next.REPLACE, NewMember.next(Arrays.asList(false, true)));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void cell_withACommand_isNeverFoundedAgain_whileMostDisksAreThere(int members) {
        int all = 1 << members;
        for (int had = 0; had < all; had++) {
            for (int lost = 1; lost < all; lost++) {
                boolean isCommitted = Integer.bitCount(had) * 2 > members;
                boolean areMostThere = Integer.bitCount(lost) * 2 < members;
                if (isCommitted && areMostThere) {
                    check(members, had, lost);
                }
            }
        }
    }

    private static void check(int members, int had, int lost) {
        for (int silent = 0; silent < 1 << members; silent++) {
            for (int self = 0; self < members; self++) {
                if (has(lost, self)) {
                    assertNotEquals(Next.FOUND, NewMember.next(answers(members, had & ~lost, silent, self)),
                        "part: " + had + ", lost: " + lost + ", silent: " + silent + ", member " + self);
                }
            }
        }
    }

    private static List<Boolean> answers(int members, int part, int silent, int self) {
        List<Boolean> answers = new ArrayList<>();
        for (int other = 0; other < members; other++) {
            if (other != self) {
                answers.add(has(silent, other) ? null : (Boolean) has(part, other));
            }
        }
        return answers;
    }

    private static boolean has(int set, int member) {
        return (set & 1 << member) != 0;
    }
}
