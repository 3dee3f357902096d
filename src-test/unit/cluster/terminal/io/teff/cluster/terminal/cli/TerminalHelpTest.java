package io.teff.cluster.terminal.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.NodeOption;
import io.teff.test.kit.HelpText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The command lines: the launcher's help of each command is the program's own, and wrong ones are explained. */
final class TerminalHelpTest {
    private static final int WRONG_USE = 2;

    @TempDir
    private Path folder;
    private final StringWriter errors = new StringWriter();

    @Test
    void helpOfEachCommand_isTheProgramsOwn() {
        CommandLine terminal = Terminal.commandLine();
        assertFalse(terminal.getSubcommands().isEmpty());
        terminal.getSubcommands().values().forEach(TerminalHelpTest::check);
    }

    private static void check(CommandLine command) {
        if (!command.getCommandSpec().usageMessage().hidden()) {
            HelpText.check(command.getCommandSpec().qualifiedName().substring("./teff ".length()),
                command.getUsageMessage(Ansi.OFF));
            command.getSubcommands().values().forEach(TerminalHelpTest::check);
        }
    }

    @Test
    void eachOption_isAnOptionOfTheCommandLine_withItsOwnFlag() {
        CommandLine node = Terminal.commandLine().getSubcommands().get("node");
        String help = node.getUsageMessage(Ansi.OFF);
        for (NodeOption option : NodeOption.values()) {
            assertTrue(node.getCommandSpec().optionsMap().containsKey(option.flag()), option.flag());
            assertTrue(help.contains("[" + option.key() + "]"), option.key());
        }
        long flags = Arrays.stream(NodeOption.values()).map(NodeOption::flag).distinct().count();
        assertEquals(NodeOption.values().length, flags);
    }

    private int run(String... words) {
        return Terminal.commandLine().setErr(new PrintWriter(errors, true)).setOut(new PrintWriter(errors, true))
            .execute(words);
    }

    @Test
    void node_withFaultsInFileAndCommandLine_namesEachPlace() throws Exception {
        Path file = Files.writeString(folder.resolve("node.toml"), """
            [node]
            role = "peer"
            folder = "data"

            [cluster]
            superpeers = ["127.0.0.1:7400"]
            lease-ms = 5
            """);
        assertEquals(WRONG_USE, run("node", "--config", file.toString(), "--listen", "nowhere"));
        assertTrue(errors.toString().contains(file + ":7: cluster.lease-ms: 5 is out of range; allowed: 10 to 600000"),
            errors::toString);
        assertTrue(errors.toString().contains("--listen: node.listen: 'nowhere' is no address; allowed: host:port"),
            errors::toString);
    }

    @Test
    void status_ofSomethingWithoutAnAddress_isWrongUse() {
        for (String wrong : new String[] {"nowhere", "host:99999", "h:1,h:2,h:3,h:4,h:5,h:6"}) {
            errors.getBuffer().setLength(0);
            assertEquals(WRONG_USE, run("cluster", "status", "--superpeers", wrong), errors::toString);
            assertTrue(errors.toString().contains("--superpeers: "), errors::toString);
        }
    }

    @Test
    void node_withoutAnything_namesTheMissingOptions() {
        assertEquals(WRONG_USE, run("node"));
        assertTrue(errors.toString().contains("the command line: node.role is missing; allowed: superpeer or peer"),
            errors::toString);
    }

    @Test
    void commands_withoutACluster_sayHowToStartOne() {
        for (String command : new String[] {"status", "down"}) {
            errors.getBuffer().setLength(0);
            assertEquals(1, run("cluster", command, "--dir", folder.resolve("none").toString()));
            assertTrue(errors.toString().contains("there is no cluster in folder"), errors::toString);
            assertTrue(errors.toString().contains("./teff cluster up"), errors::toString);
        }
    }

    @Test
    void up_inAFolderWithOtherFiles_isRefused() throws Exception {
        Files.writeString(folder.resolve("letter.txt"), "dear");
        assertEquals(1, run("cluster", "up", "--dir", folder.toString()));
        assertTrue(errors.toString().contains("is in use for something else"), errors::toString);
        assertEquals("dear", Files.readString(folder.resolve("letter.txt")));
    }

    @Test
    void up_withNumbersOutOfRange_isWrongUse() {
        assertEquals(WRONG_USE, run("cluster", "up", "--superpeers", "2"));
        assertTrue(errors.toString().contains("allowed: 1, 3 or 5"), errors::toString);
        assertEquals(WRONG_USE, run("cluster", "up", "--peers", "0"));
        assertEquals(WRONG_USE, run("cluster", "up", "--memory", "much"));
        assertEquals(WRONG_USE, run("cluster", "up", "--port", "65500"));
    }
}
