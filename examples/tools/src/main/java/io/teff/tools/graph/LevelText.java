package io.teff.tools.graph;

import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.List;

/** Prints the sizes of levels; of many levels, the first and the last. */
final class LevelText {
    private static final int SHOWN = 30;

    private LevelText() {}

    static void write(List<Integer> levels, PrintWriter out) {
        for (int level = 0; level < levels.size(); level++) {
            if (level < SHOWN || level == levels.size() - 1) {
                out.println(Figures.text("  level %3d  %,13d", level, levels.get(level)));
            } else if (level == SHOWN) {
                out.println("  ...");
            }
        }
    }
}
