package io.teff.tools.log;

import io.teff.recovery.tool.LogReport;
import io.teff.recovery.tool.LogTool;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code log inspect} command: what is in a log. */
@Command(
    name = "inspect",
    description = {
        "Says what is in a log: how it was left, its files, zones and segments, entries, how much of them lives.",
        "What a process left in frames and write buffer is counted as it would be if the log was opened."},
    sortOptions = false)
final class InspectCommand extends LogAction {
    @Option(names = "--segments", description = "Name each segment; a JSON document always does.")
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
