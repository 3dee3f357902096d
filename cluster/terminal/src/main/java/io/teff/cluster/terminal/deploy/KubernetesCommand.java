package io.teff.cluster.terminal.deploy;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.option.HelpOption;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code deploy kubernetes}. */
@Command(
    name = "kubernetes",
    description = {"Prints manifests of Kubernetes: a StatefulSet of superpeers and one of peers, with services, "
        + "budgets, disks and probes. A peer drains before its pod ends.",
        "Without --secret-file the secret must exist: kubectl create secret generic NAME-secret --from-file=secret"},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the manifests are printed", "1:a file cannot be read", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff deploy kubernetes --image registry/teff:1 --peers 4 --memory 8g | kubectl apply -f -",
    sortOptions = false)
final class KubernetesCommand implements Callable<Integer> {
    private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]{0,22}[a-z0-9])?");
    private static final Pattern QUANTITY = Pattern.compile("[1-9][0-9]*(Mi|Gi|Ti)");
    private static final Pattern LABEL = Pattern.compile("([A-Za-z0-9][A-Za-z0-9._/-]{0,252})?");
    private static final int BACKUPS_MAX = 4;
    private static final int DRAIN_MIN_S = 10;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Option(names = "--image", paramLabel = "IMAGE", required = true,
        description = "The image of ./teff deploy container, as the Kubernetes cluster finds it.")
    private String image = "";

    @Option(names = "--name", paramLabel = "NAME", defaultValue = "teff",
        description = "Name of the cluster. Default: ${DEFAULT-VALUE}.")
    private String name = "";

    @Option(names = "--namespace", paramLabel = "NAME", defaultValue = "default",
        description = "Namespace of all objects. Default: ${DEFAULT-VALUE}.")
    private String namespace = "";

    @Option(names = "--domain", paramLabel = "NAME", defaultValue = "cluster.local",
        description = "Domain of the Kubernetes cluster. Default: ${DEFAULT-VALUE}.")
    private String domain = "";

    @Option(names = "--java", paramLabel = "FOLDER", defaultValue = "/opt/java/openjdk",
        description = "Home of Java in the image. Default: ${DEFAULT-VALUE}.")
    private String java = "";

    @Option(names = "--superpeers", paramLabel = "N", defaultValue = "3",
        description = "Superpeers: 1, 3 or 5. Default: ${DEFAULT-VALUE}.")
    private int superpeers;

    @Option(names = "--peers", paramLabel = "N", defaultValue = "4", description = "Peers. Default: ${DEFAULT-VALUE}.")
    private int peers;

    @Option(names = "--backups", paramLabel = "N", defaultValue = "2",
        description = "Backups of each zone, 1 to 4. Default: ${DEFAULT-VALUE}.")
    private int backups;

    @Option(names = "--memory", paramLabel = "SIZE", defaultValue = "1g",
        description = "Memory for chunks of each peer. Default: ${DEFAULT-VALUE}.")
    private String memory = "";

    @Option(names = "--heap", paramLabel = "SIZE", defaultValue = "512m",
        description = "Java heap of each peer. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Option(names = "--storage", paramLabel = "SIZE", defaultValue = "20Gi",
        description = "Disk of each node: Mi, Gi or Ti. Default: ${DEFAULT-VALUE}.")
    private String storage = "";

    @Option(names = "--storage-class", paramLabel = "NAME", defaultValue = "",
        description = "Class of the disks. Default: that of the Kubernetes cluster.")
    private String storageClass = "";

    @Option(names = "--drain", paramLabel = "SECONDS", defaultValue = "240",
        description = "How long a peer may drain before its end. Default: ${DEFAULT-VALUE}.")
    private int drainS;

    @Option(names = "--rack-label", paramLabel = "LABEL", defaultValue = "",
        description = {"Label of a pod with the name of its rack, such as topology.kubernetes.io/zone: copies of a "
            + "zone are in different racks, and peers are spread over the racks.",
            "The label must be at the pods: Kubernetes copies labels of topology from the machine to the pod with the "
            + "feature PodTopologyLabelsAdmission. Default: a rack of its own for each peer."})
    private String rackLabel = "";

    @Option(names = "--secret-file", paramLabel = "FILE",
        description = "Write the secret of this file into the manifests, too.")
    private @Nullable Path secretFile;

    @Option(names = "--json", description = "Write one list in JSON.")
    private boolean isJson;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        require(Set.of(1, 3, 5).contains(superpeers), "--superpeers " + superpeers + "; allowed: 1, 3 or 5");
        require(peers > 0, "--peers " + peers + "; allowed: numbers from 1");
        require(backups > 0 && backups <= BACKUPS_MAX, "--backups " + backups + "; allowed: 1 to 4");
        require(NAME.matcher(name).matches(), "--name " + name + "; allowed: 1 to 24 small letters, digits and -");
        require(QUANTITY.matcher(storage).matches(), "--storage " + storage + "; allowed: such as 20Gi");
        require(drainS >= DRAIN_MIN_S, "--drain " + drainS + "; allowed: numbers from " + DRAIN_MIN_S);
        require(LABEL.matcher(rackLabel).matches(), "--rack-label " + rackLabel + "; allowed: the name of a label");
        KubernetesPlan plan = new KubernetesPlan(name, namespace, domain, image, java, superpeers, peers, backups,
            megabytes("--memory", memory), megabytes("--heap", heap), storage, storageClass, drainS,
            rackLabel);
        PrintWriter out = spec.commandLine().getOut();
        try {
            List<Map<String, Object>> all = new Manifests(plan).all(secretFile == null ? null
                : Files.readAllBytes(secretFile));
            if (isJson) {
                Map<String, Object> list = new LinkedHashMap<>();
                list.put("apiVersion", "v1");
                list.put("kind", "List");
                list.put("items", all);
                out.println(JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(list));
            } else {
                out.print(YamlText.write(all));
            }
        } catch (IOException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
        out.flush();
        return 0;
    }

    private void require(boolean isAllowed, String text) {
        if (!isAllowed) {
            throw new ParameterException(spec.commandLine(), text);
        }
    }

    private long megabytes(String option, String text) {
        long bytes = OptionValue.of(text).bytes();
        require(bytes >= 1 << 20, option + " " + text + "; allowed: sizes such as 512m or 8g");
        return bytes >> 20;
    }
}
