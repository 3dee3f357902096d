package io.teff.cluster.terminal.shell.task;

import io.teff.engine.NamedRoot;
import java.util.Locale;

/** Names of kinds of collections for people. */
final class KindText {
    private KindText() {}

    static String kind(NamedRoot root) {
        return root.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
