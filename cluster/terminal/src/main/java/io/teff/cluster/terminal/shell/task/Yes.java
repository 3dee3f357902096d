package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.local.CommandFailure;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option of commands that destroy something, and the question. */
final class Yes {
    /** The name of the option. */
    static final String NAME = "--yes";
    /** The description of the option. */
    static final String DESCRIPTION = "Do not ask. Needed where there is no terminal.";

    @Option(names = NAME, description = DESCRIPTION)
    private boolean isGiven;

    @Spec(Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** Asks, unless the option was given; throws if the answer is no. */
    void ask(String question) {
        if (!isGiven) {
            ask(spec, ((Shell) spec.root().userObject()).session(), question);
        }
    }

    /** Asks; throws if there is no person, or the answer is no. */
    static void ask(CommandSpec spec, ShellSession session, String question) {
        Predicate<String> person = session.person();
        if (person == null) {
            throw new ParameterException(spec.commandLine(), "would " + question + "; it needs " + NAME);
        }
        if (!person.test(question)) {
            throw new CommandFailure("nothing was changed");
        }
    }
}
