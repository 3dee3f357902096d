package io.teff.cluster.terminal.shell.value;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds the word that was likely meant. */
public final class Nearest {
    private static final int LETTERS_PER_CHANGE = 3;

    private Nearest() {}

    /**
     * {@return the nearest of the known words; null if none is near}
     *
     * @param word a mistyped word
     * @param known words to choose from
     */
    public static @Nullable String of(String word, Collection<String> known) {
        String nearest = null;
        int least = 1 + Math.max(1, word.length() / LETTERS_PER_CHANGE);
        for (String each : known) {
            int distance = !word.isEmpty() && each.startsWith(word) ? 1 : distance(word, each);
            if (distance < least) {
                least = distance;
                nearest = each;
            }
        }
        return nearest;
    }

    /** Returns the number of letters to insert, remove or replace, or of neighbours to swap. */
    static int distance(String left, String right) {
        int[][] steps = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                boolean isEqual = left.charAt(i - 1) == right.charAt(j - 1);
                steps[i][j] = Math.min(Math.min(steps[i - 1][j], steps[i][j - 1]) + 1,
                    steps[i - 1][j - 1] + (isEqual ? 0 : 1));
                if (i > 1 && j > 1 && left.charAt(i - 1) == right.charAt(j - 2)
                    && left.charAt(i - 2) == right.charAt(j - 1)) {
                    steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
                }
            }
        }
        return steps[left.length()][right.length()];
    }
}
