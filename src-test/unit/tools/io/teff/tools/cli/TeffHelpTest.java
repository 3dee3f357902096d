package io.teff.tools.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.teff.test.kit.HelpText;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The launcher's help of each command is the program's own. */
final class TeffHelpTest {
    @Test
    void helpOfEachCommand_isTheProgramsOwn() {
        final CommandLine teff = Teff.commandLine();
        assertFalse(teff.getSubcommands().isEmpty());
        teff.getSubcommands().values().forEach(TeffHelpTest::check);
    }

    private static void check(CommandLine command) {
        HelpText.check(command.getCommandSpec().qualifiedName().substring("./teff ".length()),
            command.getUsageMessage(Ansi.OFF));
        command.getSubcommands().values().forEach(TeffHelpTest::check);
    }
}
