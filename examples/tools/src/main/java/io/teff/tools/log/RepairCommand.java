package io.teff.tools.log;

import io.teff.recovery.tool.Cut;
import io.teff.recovery.tool.LogTool;
import io.teff.tools.console.Figures;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code log repair} command: cuts off what a crash has left unfinished. */
@Command(
    name = "repair",
    description = {
        "Cuts off what a crash has left unfinished: the end of the manifest that is no whole record, and ends of "
            + "segments that are being written in which nothing has a right checksum. A log is opened without that, "
            + "too.",
        "What is cut off is kept in a file beside it. Where anything is damaged nothing is cut.",
        "Exit codes: 0 something was cut off, 1 there was nothing, or it failed, 3 something is damaged."},
    sortOptions = false)
final class RepairCommand extends LogAction {
    @Option(names = "--cut-tail", required = true, description = "Do it; there is no other repair.")
    @SuppressWarnings("UnusedVariable") // the library sees to it that it is there
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
            explain("nothing was changed, because something is damaged that no crash has left unfinished");
            return EXIT_DAMAGED;
        }
        if (result.cuts().isEmpty()) {
            explain("nothing was changed, because there is no end that a crash has left unfinished");
            return EXIT_FAILED;
        }
        return EXIT_GOOD;
    }
}
