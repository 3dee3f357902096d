package io.teff.tools.log;

import io.teff.recovery.tool.Cut;
import io.teff.recovery.tool.LogTool;
import io.teff.tools.console.Figures;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code log repair} command: cuts unfinished tails that a crash left. */
@Command(
    name = "repair",
    description = {
        "Cuts tails that a crash left unfinished: an incomplete record at the end of the manifest, and ends of open "
            + "segments in which no checksum is right. Opening a log does not require this.",
        "Each tail is kept in a file beside the file that it was cut from. If anything is damaged, nothing is cut."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:at least one tail was cut", "1:there was no unfinished tail, or the repair failed",
        "2:wrong command line", "3:something is damaged; nothing was changed"},
    footerHeading = "%nExample:%n",
    footer = "  teff log repair --cut-tail data",
    sortOptions = false)
final class RepairCommand extends LogAction {
    @Option(names = "--cut-tail", required = true,
        description = "Cut unfinished tails. Required; there is no other kind of repair.")
    @SuppressWarnings("UnusedVariable") // picocli requires it
    private boolean cutTail;

    @Override
    int act() throws IOException {
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
