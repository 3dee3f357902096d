package io.teff.graph.generate;

import io.teff.graph.edges.EdgeSink;

/**
 * A grid of crossings like a road network: small degrees, a large diameter, lengths as weights. Each crossing has a
 * road to the next crossing of its row and of its column. Some roads are missing, and a few crossings have a diagonal.
 *
 * <p>Crossings are displaced by up to 0.4 of the distance of rows, and the weight of a road is the distance of its
 * ends. The crossing in row r and column c has number r * columns + c.
 */
public final class RoadGrid extends EdgeGenerator {
    private static final int ROADS = 3;
    private static final int ACROSS = 0;
    private static final int DOWN = 1;
    private static final double SHIFT = 0.8;
    private static final int HALF_BITS = 32;
    private static final double HALF_UNIT = 0x1p-32;

    private final long rows;
    private final long columns;
    private final double missing;
    private final double diagonal;
    private final Draw places;

    /**
     * Makes a grid.
     *
     * @param rows number of rows of crossings, at least 0
     * @param columns number of crossings of a row, at least 0
     * @param missing share of the roads between rows and columns that do not exist, 0 to 1
     * @param diagonal share of the crossings with a road to the next row and column, 0 to 1
     * @param seed of the random numbers; equal seeds give equal edges and lengths
     */
    public RoadGrid(long rows, long columns, double missing, double diagonal, long seed) {
        super(Math.multiplyExact(rows, columns), Math.multiplyExact(ROADS, Math.multiplyExact(rows, columns)), seed,
            true);
        boolean isRight = rows >= 0 && columns >= 0 && missing >= 0 && missing <= 1 && diagonal >= 0 && diagonal <= 1;
        if (!isRight) {
            throw new IllegalArgumentException("rows=" + rows + " columns=" + columns + " missing=" + missing
                + " diagonal=" + diagonal);
        }
        this.rows = rows;
        this.columns = columns;
        this.missing = missing;
        this.diagonal = diagonal;
        this.places = new Draw(~seed);
    }

    /** Not known before the edges are read. */
    @Override
    public long edgeCount() {
        return -1;
    }

    @Override
    void generate(long slot, Draw draw, EdgeSink sink) {
        long crossing = slot / ROADS;
        int road = (int) (slot % ROADS);
        long row = crossing / columns + (road == ACROSS ? 0 : 1);
        long column = crossing % columns + (road == DOWN ? 0 : 1);
        double chance = draw.unit();
        boolean exists = road <= DOWN ? chance >= missing : chance < diagonal;
        if (exists && row < rows && column < columns) {
            long target = row * columns + column;
            sink.edge(crossing, target, distance(crossing, target));
        }
    }

    private double distance(long left, long right) {
        double x = left % columns + shift(left, 0) - right % columns - shift(right, 0);
        double y = left / columns + shift(left, HALF_BITS) - right / columns - shift(right, HALF_BITS);
        return Math.sqrt(x * x + y * y);
    }

    private double shift(long crossing, int bits) {
        return ((int) (places.at(crossing) >>> bits) & 0xFFFF_FFFFL) * HALF_UNIT * SHIFT;
    }
}
