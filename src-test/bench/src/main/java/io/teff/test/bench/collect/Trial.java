package io.teff.test.bench.collect;

import java.util.Map;

/** Everything that is measured of one structure, in this JVM. */
@FunctionalInterface
interface Trial {
    /**
     * Measures.
     *
     * @return figures by name
     * @throws IllegalStateException if the structure gives a wrong answer
     */
    Map<String, Object> run();

    /** Fails the trial of a structure whose answer is not what it must be. */
    static void check(boolean right, String answer, long number) {
        if (!right) {
            throw wrong(answer, number);
        }
    }

    private static IllegalStateException wrong(String answer, long number) {
        return new IllegalStateException("a wrong answer: " + answer + " " + number);
    }
}
