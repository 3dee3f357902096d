package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.terminal.cli.Terminal;
import io.teff.cluster.terminal.config.NodeFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * Goal: Kubernetes takes the manifests, and the manifests say what they promise. Method: a parser of YAML reads the
 * text; the model of the official client, which is made from the published schemas, refuses unknown fields, missing
 * fields and values of wrong types.
 */
final class ManifestsTest {
    private static final Gson GSON = new Gson();

    @TempDir
    private Path folder;

    private static String run(String... words) {
        StringWriter out = new StringWriter();
        List<String> all = new ArrayList<>(List.of("deploy", "kubernetes", "--image", "registry/teff:1"));
        all.addAll(List.of(words));
        assertEquals(0, Terminal.commandLine().setOut(new PrintWriter(out, true)).execute(all.toArray(String[]::new)));
        return out.toString();
    }

    private static List<JsonObject> documents(String yaml) {
        List<JsonObject> documents = new ArrayList<>();
        new Yaml().loadAll(yaml).forEach(it -> documents.add(GSON.toJsonTree(it).getAsJsonObject()));
        return documents;
    }

    /** Checks an object by the model of its kind. */
    private static void validate(JsonObject object) throws Exception {
        Class<?> model = Class.forName("io.kubernetes.client.openapi.models.V1" + object.get("kind").getAsString());
        try {
            model.getMethod("validateJsonElement", JsonElement.class).invoke(null, object);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause());
        }
    }

    private static JsonObject find(List<JsonObject> all, String kind, String name) {
        return all.stream().filter(it -> it.get("kind").getAsString().equals(kind) && it.getAsJsonObject("metadata")
            .get("name").getAsString().equals(name)).findFirst().orElseThrow();
    }

    private static JsonObject pod(List<JsonObject> all, String role) {
        return find(all, "StatefulSet", "teff-" + role).getAsJsonObject("spec").getAsJsonObject("template")
            .getAsJsonObject("spec");
    }

    private static JsonObject container(List<JsonObject> all, String role) {
        return pod(all, role).getAsJsonArray("containers").get(0).getAsJsonObject();
    }

    @Test
    void manifests_fitThePublishedSchemas() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");
        List<JsonObject> all = documents(run("--peers", "5", "--superpeers", "3", "--storage-class", "fast",
            "--secret-file", secret.toString()));
        assertEquals(List.of("ConfigMap", "Secret", "Service", "PodDisruptionBudget", "StatefulSet", "Service",
            "PodDisruptionBudget", "StatefulSet"), all.stream().map(it -> it.get("kind").getAsString()).toList());
        for (JsonObject object : all) {
            validate(object);
        }
        JsonObject list = GSON.fromJson(run("--peers", "5", "--superpeers", "3", "--storage-class", "fast",
            "--secret-file", secret.toString(), "--json"), JsonObject.class);
        assertEquals(all, list.getAsJsonArray("items").asList().stream().map(JsonElement::getAsJsonObject).toList());
    }

    /** The twin: the check refuses what Kubernetes refuses. */
    @Test
    void schemas_refuseWhatIsWrong() {
        List<JsonObject> all = documents(run());
        container(all, "peer").addProperty("imagee", "x");
        assertThrows(IllegalArgumentException.class, () -> validate(find(all, "StatefulSet", "teff-peer")));
        find(all, "StatefulSet", "teff-superpeer").getAsJsonObject("spec").remove("selector");
        assertThrows(IllegalArgumentException.class, () -> validate(find(all, "StatefulSet", "teff-superpeer")));
        find(all, "Service", "teff-peer").getAsJsonObject("spec").addProperty("ports", "7410");
        assertThrows(IllegalArgumentException.class, () -> validate(find(all, "Service", "teff-peer")));
    }

    @Test
    void pods_runWithoutRights_andEndInOrder() {
        List<JsonObject> all = documents(run("--drain", "100"));
        for (String role : List.of("superpeer", "peer")) {
            JsonObject user = pod(all, role).getAsJsonObject("securityContext");
            assertTrue(user.get("runAsNonRoot").getAsBoolean());
            assertEquals(ContainerImage.USER, user.get("runAsUser").getAsInt());
            assertTrue(pod(all, role).getAsJsonArray("volumes").toString().contains("\"defaultMode\":288"), "0440");
            JsonObject rights = container(all, role).getAsJsonObject("securityContext");
            assertTrue(rights.get("readOnlyRootFilesystem").getAsBoolean());
            assertEquals("[\"ALL\"]", rights.getAsJsonObject("capabilities").get("drop").toString());
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                String question = probe.equals("readinessProbe") ? "--health=ready" : "--health=live";
                assertTrue(container(all, role).get(probe).toString().contains(question), role + probe);
            }
            assertTrue(find(all, "Service", "teff-" + role).getAsJsonObject("spec").get("publishNotReadyAddresses")
                .getAsBoolean());
            assertEquals(1, find(all, "PodDisruptionBudget", "teff-" + role).getAsJsonObject("spec")
                .get("maxUnavailable").getAsInt());
            assertNotNull(pod(all, role).getAsJsonObject("affinity").getAsJsonObject("podAntiAffinity"));
        }
        assertTrue(pod(all, "superpeer").getAsJsonObject("affinity").toString()
            .contains("requiredDuringScheduling"));            // two peers may share the only machine
        assertTrue(pod(all, "peer").getAsJsonObject("affinity").toString().contains("preferredDuringScheduling"));
        assertEquals(130, pod(all, "peer").get("terminationGracePeriodSeconds").getAsInt());
        String drain = container(all, "peer").getAsJsonObject("lifecycle").toString();
        assertTrue(drain.contains("drain") && drain.contains("$POD_NAME"), drain);
    }

    @Test
    void rackLabel_isARackOfThePeers_whichAreSpreadOverTheRacks() throws Exception {
        List<JsonObject> all = documents(run("--rack-label", "topology.kubernetes.io/zone"));
        for (JsonObject object : all) {
            validate(object);
        }
        String peer = container(all, "peer").toString();
        assertTrue(peer.contains("metadata.labels['topology.kubernetes.io/zone']"), peer);
        assertTrue(peer.contains("\"--rack\",\"$(RACK)\""), peer);
        assertTrue(pod(all, "peer").getAsJsonArray("topologySpreadConstraints").toString()
            .contains("topology.kubernetes.io/zone"));
        assertFalse(container(all, "superpeer").toString().contains("RACK"));
        assertFalse(container(documents(run()), "peer").toString().contains("RACK"));
    }

    /** The files of the pods are configurations of nodes, with the addresses of the command lines. */
    @Test
    void nodes_readTheirConfigurations() throws Exception {
        List<JsonObject> all = documents(run("--name", "teff", "--namespace", "shop", "--memory", "2g"));
        JsonObject files = find(all, "ConfigMap", "teff-config").getAsJsonObject("data");
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--r-----"));
        for (NodeRole role : NodeRole.values()) {
            Path file = Files.writeString(folder.resolve(role.text() + ".toml"), files.get(role.text() + ".toml")
                .getAsString().replace("/etc/teff-secret", folder.toString()));
            var values = NodeFile.read(file);
            String address = "teff-" + role.text() + "-1.teff-" + role.text() + ".shop.svc.cluster.local:";
            values.put(NodeOption.LISTEN, OptionValue.of(role
                == NodeRole.PEER ? "0.0.0.0:7410" : address + "7400"));
            if (role == NodeRole.PEER) {
                values.put(NodeOption.ADDRESS, OptionValue.of(address
                    + "7410"));
            }
            NodeSettings settings = NodeSettings.of(values, "test");
            assertEquals(3, settings.superpeers().size());
            assertEquals(role == NodeRole.PEER ? 0 : 1, settings.number());
        }
    }

    @Test
    void texts_areQuotedWhereYamlTakesThemForSomethingElse() {
        Map<String, Object> odd = Map.of("a", List.of("yes", "no", "1", "1.5", "null", "~", "", " x", "a: b", "#c",
            "é\"\\\n", "line\nline\n", "- d", true, 7, List.of(), Map.of(), Map.of("b", "c")));
        assertEquals(odd, new Yaml().load(YamlText.write(List.of(odd))));
    }

    @Test
    void wrongNumbers_areWrongUse() {
        StringWriter err = new StringWriter();
        for (String[] wrong : new String[][] {{"--superpeers", "2"}, {"--peers", "0"}, {"--backups", "9"},
            {"--name", "Teff_"}, {"--storage", "much"}, {"--memory", "x"}}) {
            assertEquals(2, Terminal.commandLine().setErr(new PrintWriter(err, true)).execute("deploy", "kubernetes",
                "--image", "i", wrong[0], wrong[1]), err::toString);
        }
    }
}
