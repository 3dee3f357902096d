package io.teff.tools.log;

import io.teff.recovery.tool.LogReport;
import io.teff.recovery.tool.LogTool;
import io.teff.tools.console.Figures;
import java.io.IOException;
import picocli.CommandLine.Command;

/** The {@code log verify} command: checks a log for damage. */
@Command(
    name = "verify",
    description = {
        "Reads every part of a log that opening the log would read, and verifies each checksum. Names each damaged "
            + "place: file, offset, length in bytes, reason."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing is damaged", "1:there is no log, it is open, or it cannot be read",
        "2:wrong command line", "3:something is damaged"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff log verify data --json",
    sortOptions = false)
final class VerifyCommand extends LogAction {
    @Override
    int act() throws IOException {
        Timed<LogReport> read = run(LogTool::read);
        LogReport report = read.result();
        VerifyDocument document = new VerifyDocument(folder().toString(), read.seconds(),
            report.zones().stream().mapToLong(zone -> zone.segments().size()).sum(),
            report.files().stream().mapToLong(LogReport.Files::bytes).sum(), report.entries().count(),
            report.damage(), report.unfinished());
        if (!writeJson(document)) {
            writePlaces("unfinished", report.unfinished());
            writePlaces("damaged", report.damage());
            out().println(Figures.text("%s: %s segments, %s entries, %s in files, read in %.2f s; %s",
                document.folder(), Figures.count(document.segments()), Figures.count(document.entries()),
                Figures.bytes(document.bytes()), document.seconds(), verdict(report)));
            out().flush();
        }
        return report.damage().isEmpty() ? EXIT_GOOD : EXIT_DAMAGED;
    }

    private static String verdict(LogReport report) {
        int count = report.damage().size();
        return count == 0 ? "nothing is damaged" : "damaged in " + count + (count == 1 ? " place" : " places");
    }
}
