package io.teff.cluster.terminal.deploy;

import java.util.ArrayList;
import java.util.List;

/** Makes the command line of a process that runs a script at a host. */
@FunctionalInterface
interface HostShell {
    /** The ssh of this machine. Keys only: a question for a password would wait for ever. */
    HostShell SSH = (host, words) -> {
        List<String> command = new ArrayList<>(List.of("ssh", "-T", "-o", "BatchMode=yes", "-o",
            "PasswordAuthentication=no", "-o", "KbdInteractiveAuthentication=no", "-o", "ConnectTimeout=10", "-o",
            "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4", "-p", String.valueOf(host.sshPort())));
        command.addAll(host.sshOptions());
        command.addAll(List.of("--", host.ssh(), String.join(" ", words.stream().map(HostShell::quoted).toList())));
        return command;
    };

    /**
     * Returns the command line.
     *
     * @param words words of the command at the host
     */
    List<String> command(HostPlan host, List<String> words);

    /** Returns a word that a shell takes as it is. */
    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
