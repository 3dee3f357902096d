package io.teff.graph.generate;

import java.util.Arrays;
import java.util.List;

/**
 * Generators as texts: a kind, a colon, and numbers between commas. Numbers in brackets have defaults.
 * <pre>
 * kronecker:SCALE[,EDGES PER VERTEX]         16 edges per vertex
 * rmat:SCALE,EDGES[,A,B,C]                   0.45, 0.15, 0.15
 * uniform:VERTICES,EDGES
 * grid:ROWS,COLUMNS[,MISSING,DIAGONAL]       0.1, 0.05
 * preferential:VERTICES,EDGES PER VERTEX
 * </pre>
 */
public final class GeneratorForm {
    /** The kinds. */
    public static final List<String> KINDS = List.of("kronecker", "rmat", "uniform", "grid", "preferential");

    private static final double RMAT_A = 0.45;
    private static final double RMAT_B = 0.15;
    private static final double MISSING = 0.1;
    private static final double DIAGONAL = 0.05;
    private static final int EDGE_FACTOR = 16;

    private final String text;
    private final double[] numbers;

    private GeneratorForm(String text, double[] numbers) {
        this.text = text;
        this.numbers = numbers;
    }

    /**
     * {@return whether a text begins as a generator does: with one of {@link #KINDS} and a colon}
     *
     * @param text any text
     */
    public static boolean isGenerator(String text) {
        int colon = text.indexOf(':');
        return colon > 0 && KINDS.contains(text.substring(0, colon));
    }

    /**
     * Makes the generator of a text.
     *
     * @param text one of the forms of this class
     * @param seed of the random numbers; equal seeds give equal edges
     * @param weighted whether edges have weights from 0 to below 1; preferential edges never have weights, and grids
     *     always have lengths
     * @return the generator, which computes its edges when they are read
     * @throws IllegalArgumentException if the text has another form, or numbers out of range
     */
    public static EdgeGenerator parse(String text, long seed, boolean weighted) {
        if (!isGenerator(text)) {
            throw new IllegalArgumentException(text + " is no generator; kinds: " + String.join(", ", KINDS));
        }
        int colon = text.indexOf(':');
        String kind = text.substring(0, colon);
        try {
            double[] numbers = Arrays.stream(text.substring(colon + 1).split(",", -1))
                .mapToDouble(Double::parseDouble).toArray();
            return new GeneratorForm(text, numbers).make(kind, seed, weighted);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " has other words than numbers behind the colon", e);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(text + " is too large", e);
        }
    }

    private EdgeGenerator make(String kind, long seed, boolean weighted) {
        switch (kind) {
            case "kronecker" -> {
                require(1, 2);
                RecursiveMatrix plain = RecursiveMatrix.graph500((int) whole(0), (int) number(1, EDGE_FACTOR), seed);
                return weighted ? plain.withWeights() : plain;
            }
            case "rmat" -> {
                require(2, 5);
                RecursiveMatrix plain = RecursiveMatrix.rmat((int) whole(0), whole(1), number(2, RMAT_A),
                    number(3, RMAT_B), number(4, RMAT_B), seed);
                return weighted ? plain.withWeights() : plain;
            }
            case "uniform" -> {
                require(2, 2);
                return new UniformEdges(whole(0), whole(1), false, weighted, seed);
            }
            case "grid" -> {
                require(2, 4);
                return new RoadGrid(whole(0), whole(1), number(2, MISSING), number(3, DIAGONAL), seed);
            }
            default -> {
                require(2, 2);
                return new PreferentialEdges(whole(0), (int) whole(1), seed);
            }
        }
    }

    private void require(int min, int max) {
        if (numbers.length < min || numbers.length > max) {
            throw new IllegalArgumentException(text + " has " + numbers.length + " numbers; expected " + min
                + (min == max ? "" : " to " + max));
        }
    }

    private long whole(int index) {
        double number = numbers[index];
        if (number != Math.rint(number) || Math.abs(number) > EdgeGenerator.EDGES_MAX) {
            throw new IllegalArgumentException(text + ": " + number + " is not a whole number up to "
                + EdgeGenerator.EDGES_MAX);
        }
        return (long) number;
    }

    private double number(int index, double otherwise) {
        return index < numbers.length ? numbers[index] : otherwise;
    }
}
