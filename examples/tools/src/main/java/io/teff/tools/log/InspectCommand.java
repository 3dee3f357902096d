package io.teff.tools.log;

import io.teff.recovery.tool.LogReport;
import io.teff.recovery.tool.LogTool;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code log inspect} command: reports the content of a log. */
@Command(
    name = "inspect",
    description = {
        "Reports the content of a log: how it was closed, its files, zones, segments and entries, and the share of "
            + "entries that are live.",
        "Frames and the write buffer of a log that was not closed are counted as opening the log would count them."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the report is complete", "1:there is no log, it is open, or it cannot be read",
        "2:wrong command line", "3:no manifest can be read"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff log inspect data --segments",
    sortOptions = false)
final class InspectCommand extends LogAction {
    @Option(names = "--segments",
        description = "List each segment (default: zones only; a JSON document always lists segments).")
    private boolean segments;

    @Override
    int act() throws IOException {
        Timed<LogReport> read = run(LogTool::read);
        if (!writeJson(new InspectDocument(folder().toString(), read.seconds(), read.result()))) {
            LogText.write(folder().toString(), read.seconds(), read.result(), segments, out());
        }
        return EXIT_GOOD;
    }
}
