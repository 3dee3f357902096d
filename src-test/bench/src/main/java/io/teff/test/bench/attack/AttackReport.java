package io.teff.test.bench.attack;

import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench attack} command: attacks a node in rounds in which each attack runs once. */
@Command(
    name = "attack",
    description = {
        "Attacks a node over TCP. Measures how soon the node ends the link of a peer that breaks a rule, and how long "
            + "requests of honest nodes take with and without a flood.",
        "Each round starts one JVM per attack, which runs all sides. Controls flood a plain server in the same process "
            + "that closes each link it accepts; they show the cost of the attacker itself. Results are the medians of "
            + "the rounds; attack.txt and attack.json are written to a folder."},
    sortOptions = false)
public final class AttackReport extends RoundsCommand {
    @Option(names = "--attacks", paramLabel = "PATTERN", defaultValue = "",
        description = "Attacks to measure: those in whose name a regular expression is found, as in 'flood|control' "
            + "(default: all): ${COMPLETION-CANDIDATES}.", completionCandidates = Ids.class)
    private String attacks = "";

    @Option(names = "--cuts", paramLabel = "N", defaultValue = "1000",
        description = "Number of times each rule is broken, after a quarter of that number as a warm-up. The rule of "
            + "the window, which takes megabytes, is broken a twentieth as often (default: ${DEFAULT-VALUE}).")
    private int cuts;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "700",
        description = "Time of each measurement, both without and with a flood (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--pairs", paramLabel = "N", defaultValue = "5",
        description = "Pairs of such measurements in each round (default: ${DEFAULT-VALUE}).")
    private int pairs;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "200",
        description = "Attacks per second in a flood, which also holds 256 half-open links "
            + "(default: ${DEFAULT-VALUE}).")
    private int rate;

    /** Made by the library of the command line. */
    public AttackReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkLeast("--cuts", cuts, 1);
        checkLeast("--measure-ms", measureMs, 1);
        checkLeast("--pairs", pairs, 1);
        checkLeast("--rate", rate, 1);
        List<Attack> chosen = found("--attacks", attacks, Attack.values());
        begin();
        AttackFigures figures = new AttackFigures(rounds(), rate);
        for (int round = 1; round <= rounds(); round++) {
            for (Attack attack : chosen) {
                AttackPlan plan = new AttackPlan(attack, cuts, measureMs, pairs, rate);
                figures.add(attack, run(String.format(Locale.ROOT, "round %d of %d: %s", round, rounds(), attack.id()),
                    () -> SessionProcess.run(plan, out())));
            }
        }
        Machine machine = Machine.here();
        write("attack.txt", figures.table(machine), "attack.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }

    private static final class Ids extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Ids() {
            super(Named.ids(Attack.values()));
        }
    }
}
