package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Hosts that are folders of this machine, without ssh. Their Java is a shell script that behaves as a node: it writes
 * the file of the run, and ends on SIGTERM. The script fails if its version has the file {@code bad}.
 */
final class HostsHere {
    /** Runs the words of a task in a process of this machine. */
    static final HostShell SHELL = (_, words) -> words;

    private static final String JAVA = """
        #!/bin/sh
        for last; do :; done
        node=$(dirname "$last")
        if [ -e "$node/version/lib/bad" ]; then
            echo "a planned failure"
            exit 3
        fi
        mkdir -p "$node/data"
        echo x >>"$node/data/starts"
        life=$(wc -l <"$node/data/starts")
        printf 'teff run 2\\nprocess %s 1\\nnode 16 %s\\n' $$ "$((life))" >"$node/data/node.run"
        sleep 120 &
        trap 'kill $!; rm -f "$node/data/node.run"; exit 0' TERM
        wait $!
        """;

    private final Path place;
    private final Deployment deployment;
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    HostsHere(Path place, int hosts, String more) throws IOException, ConfigException {
        this.place = place;
        Path bin = Files.createDirectories(place.resolve("jdk/bin"));
        Files.writeString(place.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        Files.writeString(bin.resolve("java"), JAVA);
        Files.setPosixFilePermissions(bin.resolve("java"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Path secret = Files.writeString(place.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        StringBuilder text = new StringBuilder("[deploy]\nmanager = \"setsid\"\njava = \"" + place.resolve("jdk")
            + "\"\n[cluster]\nsecret-file = \"secret\"\nbackups = 1\n[peer]\nmemory = \"64m\"\n" + more);
        for (int i = 1; i <= hosts; i++) {
            text.append("[[host]]\nname = \"h").append(i).append("\"\naddress = \"10.0.0.").append(i).append("\"\n")
                .append(i == 1 ? "superpeer = 7400\n" : "").append("peer = 7410\nfolder = \"").append(folder(i))
                .append("\"\n");
        }
        deployment = HostsFile.load(Files.writeString(place.resolve("hosts.toml"), text));
    }

    Path folder(int host) {
        return place.resolve("h" + host);
    }

    Deployment deployment() {
        return deployment;
    }

    Fleet fleet() {
        return new Fleet(deployment, SHELL, notes::add);
    }

    List<String> notes() {
        return notes;
    }

    /** Makes a version that is one file. */
    VersionStage version(String name) throws IOException {
        return VersionStage.make(Files.writeString(Files.createDirectories(place.resolve("versions")).resolve(name),
            name).toString(), null);
    }
}
