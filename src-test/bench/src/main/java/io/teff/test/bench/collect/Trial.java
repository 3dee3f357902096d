package io.teff.test.bench.collect;

import java.util.Map;

/** All measurements of one structure, in this JVM. */
@FunctionalInterface
interface Trial {
    /**
     * Runs the measurements.
     *
     * @return figures by name
     * @throws IllegalStateException if the structure gives a wrong answer
     */
    Map<String, Object> run();

    /** Fails the trial if an answer of the structure is wrong. */
    static void check(boolean right, String answer, long number) {
        if (!right) {
            throw wrong(answer, number);
        }
    }

    private static IllegalStateException wrong(String answer, long number) {
        return new IllegalStateException("a wrong answer: " + answer + " " + number);
    }
}
