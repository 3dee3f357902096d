package io.teff.examples.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.examples.Printed;
import org.junit.jupiter.api.Test;

/** Goal: the example of the class graph answers right. Method: runs its {@code main} and compares the output. */
final class ClassGraphExampleTest {
    @Test
    void classGraphExample_main_printsItsResult() throws Exception {
        assertEquals("""
            classes that use VertexLayout: 3
              ClassGraph
              ClassGraphReader
              ReferenceCursor
            shortest path: ClassGraphExample > ClassGraph > VertexLayout
            two chunks per class: true
            """, Printed.by(ClassGraphExample::main));
    }
}
