package io.teff.tools.log;

import io.teff.recovery.tool.Cut;
import io.teff.recovery.tool.LogTool;
import io.teff.recovery.tool.Rebuilt;
import io.teff.tools.console.Figures;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code log repair} command: cuts tails that a crash left, makes a lost manifest anew, or adopts a copy. */
@Command(
    name = "repair",
    description = {
        "With --cut-tail, cuts tails that a crash left unfinished: an incomplete record at the end of the manifest, "
            + "and ends of open segments in which no checksum is right. Opening a log does not require this.",
        "Each tail is kept in a file beside the file that it was cut from. If anything is damaged, nothing is cut.",
        "With --rebuild, makes the manifest anew from all other files of the log, if it is missing, cannot be read, or "
            + "has lost its end. The old files of the manifest are kept.",
        "With --adopt, makes the copy of a folder whose log was not closed count as it is. Only right if no process "
            + "had it open while it was copied; otherwise its files are of different moments."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:at least one tail was cut, the manifest was made anew, or the copy was adopted",
        "1:there was nothing to repair, or the repair failed",
        "2:wrong command line", "3:something is damaged; nothing was cut"},
    footerHeading = "%nExample:%n",
    footer = {"  ./teff log repair --cut-tail data", "  ./teff log repair --rebuild data"},
    sortOptions = false)
final class RepairCommand extends LogAction {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private Kind kind = new Kind();

    @Option(names = "--nid", paramLabel = "NID",
        description = "With --rebuild: NID of the store or peer that owns the log (default: the only owner of all "
            + "segments).")
    private int nid = -1;

    /** The kind of repair. */
    static final class Kind {
        @Option(names = "--cut-tail", required = true, description = "Cut unfinished tails.")
        @SuppressWarnings("UnusedVariable") // picocli requires it
        private boolean cutTail;

        @Option(names = "--rebuild", required = true, description = "Make the manifest anew.")
        private boolean rebuild;

        @Option(names = "--adopt", required = true, description = "Make a copy count as it is.")
        private boolean adopt;
    }

    @Override
    int act() throws IOException {
        return kind.rebuild ? rebuild() : kind.adopt ? adopt() : cut();
    }

    private int adopt() throws IOException {
        boolean isChanged = run((folder, holder, _) -> LogTool.adopt(folder, holder)).result();
        if (!writeJson(new AdoptDocument(folder().toString(), isChanged)) && isChanged) {
            out().println("adopted  " + folder());
            out().flush();
        }
        if (!isChanged) {
            explain("nothing was changed, because the log was closed or is not known to be a copy");
        }
        return isChanged ? EXIT_GOOD : EXIT_FAILED;
    }

    private int rebuild() throws IOException {
        Rebuilt result = run((folder, holder, progress) -> LogTool.rebuild(folder, holder, nid, progress)).result();
        if (!writeJson(result) && !result.manifest().isEmpty()) {
            result.kept().forEach(name -> out().println("kept  " + name));
            result.foreign().forEach(name -> out().println("foreign  " + name + " is not of this log"));
            out().println(Figures.text("made  %s: %d segments of %d zones with %d entries, and %d frames",
                result.manifest(), result.segments(), result.zones(), result.entries(), result.frames()));
            writePlaces("damaged", result.damage());
        }
        if (result.manifest().isEmpty()) {
            explain("nothing was changed, because the manifest is complete");
            return EXIT_FAILED;
        }
        return result.damage().isEmpty() ? EXIT_GOOD : EXIT_DAMAGED;
    }

    private int cut() throws IOException {
        LogTool.Result result = run(LogTool::cutTails).result();
        if (!writeJson(result)) {
            for (Cut cut : result.cuts()) {
                out().println(Figures.text("cut  %s at offset %d: %d bytes, kept as %s", cut.file(), cut.offset(),
                    cut.bytes(), cut.copy()));
            }
            writePlaces("damaged", result.damage());
        }
        if (!result.damage().isEmpty()) {
            explain("nothing was changed, because there is damage that is not the unfinished tail of a crash");
            return EXIT_DAMAGED;
        }
        if (result.cuts().isEmpty()) {
            explain("nothing was changed, because there is no unfinished tail");
            return EXIT_FAILED;
        }
        return EXIT_GOOD;
    }
}
