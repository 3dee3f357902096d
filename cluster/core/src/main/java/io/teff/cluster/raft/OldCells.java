package io.teff.cluster.raft;

import io.teff.engine.os.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Tells folders of earlier builds, and what to do with a folder that cannot be used. */
final class OldCells {
    static final String ADVICE = "; if most of the other superpeers have their data, move the whole folder away, and "
        + "this superpeer gets the log from them";
    private static final List<String> OLD = List.of("archive", "consensus");

    private OldCells() {}

    /** Refuses a folder with the log of an earlier build. */
    static void refuse(Disk disk, Path folder) throws IOException {
        for (String name : disk.list(folder)) {
            if (OLD.contains(name)) {
                throw new IOException(folder + " was written by an earlier build with another consensus (it has " + name
                    + "), and this build cannot read it; ./teff cluster rebuild makes the metadata anew from the"
                    + " folders of the peers");
            }
        }
    }
}
