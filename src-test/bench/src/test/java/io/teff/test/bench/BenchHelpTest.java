package io.teff.test.bench;

import io.teff.test.kit.HelpText;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The launcher's help of each benchmark is the program's own. */
final class BenchHelpTest {
    @Test
    void helpOfEachBenchmark_isTheProgramsOwn() {
        check(BenchCommand.commandLine());
    }

    private static void check(CommandLine command) {
        HelpText.check(command.getCommandSpec().qualifiedName().substring("./teff ".length()),
            command.getUsageMessage(Ansi.OFF));
        command.getSubcommands().values().stream().filter(it -> !it.getCommandSpec().usageMessage().hidden())
            .forEach(BenchHelpTest::check);
    }
}
