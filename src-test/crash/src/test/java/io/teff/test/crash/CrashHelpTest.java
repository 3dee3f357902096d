package io.teff.test.crash;

import io.teff.test.kit.HelpText;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** The launcher's help of the crash lane is the program's own. */
final class CrashHelpTest {
    @Test
    void help_isTheProgramsOwn() {
        HelpText.check("crash", CrashCommand.commandLine().getUsageMessage(Ansi.OFF));
    }
}
