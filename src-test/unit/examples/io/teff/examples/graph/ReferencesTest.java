package io.teff.examples.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ReferencesTest {
    @Test
    void of_classThatNamesOthersInEveryWay_findsEachOnceWithoutArraysPrimitivesAndItself() {
        assertEquals(Set.of("tiny/Super", "tiny/Interface", "tiny/Element", "tiny/Result", "tiny/Argument", "tiny/Cast",
            "tiny/Callee"), References.of(TinyClasses.talkative()));
    }

    @Test
    void addDescriptor_ofPrimitivesOnly_addsNothing() {
        Set<String> names = new HashSet<>();
        References.addDescriptor("(IJ[[ZBCSFD)V", names);
        assertEquals(Set.of(), names);
    }

    @Test
    void addDescriptor_ofNamesWithCapitalL_findsWholeNames() {
        Set<String> names = new HashSet<>();
        References.addDescriptor("(LList;[[La/LoadLL;J)LL;", names);
        assertEquals(Set.of("List", "a/LoadLL", "L"), names);
    }
}
