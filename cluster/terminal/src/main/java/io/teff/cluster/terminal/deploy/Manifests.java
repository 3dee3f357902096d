package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.terminal.config.NodeFile;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of Kubernetes for a cluster: a set of superpeers and a set of peers, each with a service that gives each
 * pod a name of its own, a budget of one pod, disks, probes and limits.
 *
 * <p>A peer drains before its end, so that a rolling change of the set ends a peer that has no zones and no copies.
 * Pods change their addresses; nodes look up a name at each dial.
 */
final class Manifests {
    private static final String SUPERPEER = "superpeer";
    private static final String PEER = "peer";
    private static final String CONFIG_FOLDER = "/etc/teff";
    private static final String SECRET_FOLDER = "/etc/teff-secret";
    private static final String SECRET = "secret";
    /** Read by the user's group alone: 0440. */
    private static final int SECRET_MODE = 288;
    /** How long a node takes to end in order, and some seconds. */
    private static final int END_S = 30;

    private final KubernetesPlan plan;

    Manifests(KubernetesPlan plan) {
        this.plan = plan;
    }

    /**
     * Returns the objects.
     *
     * @param secret content of the cluster's secret; null if a person makes the object
     */
    List<Map<String, Object>> all(byte @Nullable [] secret) {
        List<Map<String, Object>> all = new ArrayList<>();
        all.add(object("v1", "ConfigMap", plan.set("config"), "data", ordered("superpeer.toml", config(
            NodeRole.SUPERPEER), "peer.toml", config(NodeRole.PEER))));
        if (secret != null) {
            Map<String, Object> object = object("v1", "Secret", plan.set(SECRET), "data", ordered(SECRET,
                Base64.getEncoder().encodeToString(secret)));
            object.put("type", "Opaque");
            all.add(object);
        }
        for (String role : List.of(SUPERPEER, PEER)) {
            all.add(object("v1", "Service", plan.set(role), "spec", ordered("clusterIP", "None",
                "publishNotReadyAddresses", true,               // nodes find each other before they are ready
                "selector", labels(role), "ports", List.of(ordered("name", "teff", "port", port(role))))));
            all.add(object("policy/v1", "PodDisruptionBudget", plan.set(role), "spec", ordered("maxUnavailable", 1,
                "selector", ordered("matchLabels", labels(role)))));
            all.add(object("apps/v1", "StatefulSet", plan.set(role), "spec", set(role)));
        }
        return all;
    }

    private static int port(String role) {
        return role.equals(PEER) ? ContainerImage.PEER_PORT : ContainerImage.SUPERPEER_PORT;
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i].toString(), keysAndValues[i + 1]);
        }
        return map;
    }

    private Map<String, Object> object(String version, String kind, String name, String key, Object value) {
        return ordered("apiVersion", version, "kind", kind, "metadata", ordered("name", name, "namespace",
            plan.namespace(), "labels", ordered("app.kubernetes.io/name", "teff", "app.kubernetes.io/instance",
            plan.name())), key, value);
    }

    private Map<String, Object> labels(String role) {
        return ordered("app.kubernetes.io/name", "teff", "app.kubernetes.io/instance", plan.name(),
            "app.kubernetes.io/component", role);
    }

    private String config(NodeRole role) {
        Map<NodeOption, List<String>> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, List.of(role.text()));
        values.put(NodeOption.FOLDER, List.of(ContainerImage.FOLDER));
        values.put(NodeOption.CLUSTER, List.of(plan.name()));
        values.put(NodeOption.SUPERPEERS, plan.addresses());
        values.put(NodeOption.SECRET_FILE, List.of(SECRET_FOLDER + "/" + SECRET));
        if (role == NodeRole.PEER) {
            values.put(NodeOption.MEMORY, List.of(plan.memoryMb() + "m"));
        } else {
            values.put(NodeOption.BACKUPS, List.of(String.valueOf(plan.backups())));
        }
        return NodeFile.write(values);
    }

    private Map<String, Object> set(String role) {
        Map<String, Object> claim = ordered("accessModes", List.of("ReadWriteOnce"), "resources", ordered("requests",
            ordered("storage", plan.storage())));
        if (!plan.storageClass().isEmpty()) {
            claim.put("storageClassName", plan.storageClass());
        }
        return ordered("serviceName", plan.set(role), "replicas", role.equals(PEER) ? plan.peers() : plan.superpeers(),
            "podManagementPolicy", "Parallel",                  // superpeers wait for each other
            "updateStrategy", ordered("type", "RollingUpdate"), "minReadySeconds", 10,
            "selector", ordered("matchLabels", labels(role)),
            "template", ordered("metadata", ordered("labels", labels(role)), "spec", pod(role)),
            "volumeClaimTemplates", List.of(ordered("metadata", ordered("name", "data"), "spec", claim)));
    }

    private Map<String, Object> pod(String role) {
        Map<String, Object> pod = ordered("automountServiceAccountToken", false, "enableServiceLinks", false,
            "terminationGracePeriodSeconds", END_S + (role.equals(PEER) ? plan.drainS() : 0),
            "securityContext", ordered("runAsNonRoot", true, "runAsUser", ContainerImage.USER, "runAsGroup",
                ContainerImage.USER, "fsGroup", ContainerImage.USER, "fsGroupChangePolicy", "OnRootMismatch",
                "seccompProfile", ordered("type", "RuntimeDefault")),
            "affinity", ordered("podAntiAffinity", apart(role)),
            "containers", List.of(container(role)),
            "volumes", List.of(
                ordered("name", "config", "configMap", ordered("name", plan.set("config"))),
                ordered("name", SECRET, SECRET, ordered("secretName", plan.set(SECRET), "defaultMode", SECRET_MODE)),
                ordered("name", "tmp", "emptyDir", ordered("sizeLimit", "64Mi"))));
        if (role.equals(PEER) && !plan.rackLabel().isEmpty()) { // racks have about equal numbers of peers
            pod.put("topologySpreadConstraints", List.of(ordered("maxSkew", 1, "topologyKey", plan.rackLabel(),
                "whenUnsatisfiable", "ScheduleAnyway", "labelSelector", ordered("matchLabels", labels(role)))));
        }
        return pod;
    }

    /** Two superpeers never share a machine; two peers share one only without another machine. */
    private Map<String, Object> apart(String role) {
        Map<String, Object> term = ordered("topologyKey", "kubernetes.io/hostname", "labelSelector", ordered(
            "matchLabels", labels(role)));
        return role.equals(PEER) ? ordered("preferredDuringSchedulingIgnoredDuringExecution", List.of(ordered("weight",
            100, "podAffinityTerm", term))) : ordered("requiredDuringSchedulingIgnoredDuringExecution", List.of(term));
    }

    private Map<String, Object> container(String role) {
        boolean isPeer = role.equals(PEER);
        long heapMb = isPeer ? plan.heapMb() : KubernetesPlan.SUPERPEER_HEAP_MB;
        String memory = heapMb + KubernetesPlan.BESIDE_MB + (isPeer ? plan.memoryMb() : 0) + "Mi";
        String java = plan.java() + "/bin/java";
        Map<String, Object> container = ordered("name", "teff", "image", plan.image(), "imagePullPolicy",
            "IfNotPresent",
            "command", ContainerImage.node(java, heapMb + "m"),
            "args", arguments(role),
            "env", environment(isPeer),
            "ports", List.of(ordered("name", "teff", "containerPort", port(role))),
            "securityContext", ordered("allowPrivilegeEscalation", false, "readOnlyRootFilesystem", true,
                "capabilities", ordered("drop", List.of("ALL"))),
            "resources", ordered("requests", ordered("cpu", "500m", "memory", memory), "limits", ordered("memory",
                memory)),
            "startupProbe", probe(java, "live", 5, 60), "livenessProbe", probe(java, "live", 20, 3),
            "readinessProbe", probe(java, "ready", 10, 2),
            "volumeMounts", List.of(ordered("name", "data", "mountPath", ContainerImage.DATA),
                ordered("name", "config", "mountPath", CONFIG_FOLDER, "readOnly", true),
                ordered("name", SECRET, "mountPath", SECRET_FOLDER, "readOnly", true),
                ordered("name", "tmp", "mountPath", "/tmp")));
        if (isPeer) {
            container.put("lifecycle", ordered("preStop", ordered("exec", ordered("command", List.of("/bin/sh", "-c",
                "exec " + String.join(" ", drain(java)))))));
        }
        return container;
    }

    /** The rack is a label of the pod; a pod without the label gets an empty text, which means no rack. */
    private List<Object> environment(boolean isPeer) {
        List<Object> all = new ArrayList<>();
        all.add(variable("POD_NAME", "metadata.name"));
        if (isPeer && !plan.rackLabel().isEmpty()) {
            all.add(variable("RACK", "metadata.labels['" + plan.rackLabel() + "']"));
        }
        return all;
    }

    private static Map<String, Object> variable(String name, String path) {
        return ordered("name", name, "valueFrom", ordered("fieldRef", ordered("fieldPath", path)));
    }

    private List<String> arguments(String role) {
        List<String> words = new ArrayList<>(List.of("node", "--managed", "--config", CONFIG_FOLDER + "/" + role
            + ".toml", "--name", "$(POD_NAME)"));
        String address = "$(POD_NAME)." + plan.domain(role) + ":" + port(role);
        words.addAll(role.equals(PEER) ? List.of("--listen", "0.0.0.0:" + port(role), "--address", address)
            : List.of("--listen", address));
        if (role.equals(PEER) && !plan.rackLabel().isEmpty()) {
            words.addAll(List.of("--rack", "$(RACK)"));
        }
        return words;
    }

    private static Map<String, Object> probe(String java, String question, int periodS, int failures) {
        return ordered("exec", ordered("command", ContainerImage.health(java, question)), "periodSeconds", periodS,
            "timeoutSeconds", 10, "failureThreshold", failures);
    }

    /** The shell puts the name of the pod in: Kubernetes replaces no variables in commands of a hook. */
    private List<String> drain(String java) {
        List<String> words = new ArrayList<>();
        for (String word : ContainerImage.brief(java, "cluster", "drain", "$POD_NAME", "--superpeers", String.join(",",
            plan.addresses()), "--secret-file", SECRET_FOLDER + "/" + SECRET, "--timeout",
            String.valueOf(plan.drainS() - 5))) {
            words.add('"' + word + '"');
        }
        return words;
    }
}
