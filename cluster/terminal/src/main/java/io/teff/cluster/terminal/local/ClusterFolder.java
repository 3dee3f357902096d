package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.terminal.config.NodeFile;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a cluster on this machine:
 * <pre>
 *  cluster.txt       the plan; last to be written, so a folder with it is complete
 *  cluster.lock      locked by the supervisor, or by a rebuild of the metadata
 *  supervisor.run    the supervisor's process
 *  supervisor.program  class path of the supervisor and of the nodes that the supervisor starts
 *  supervisor.log    its log
 *  requests/         start-NODE: asks the supervisor to start a node
 *  rebuild.unfinished  while the metadata are rebuilt: the superpeers have nothing that counts
 *  NODE/             a folder for each node ({@link LocalNode})
 *  NODE.removed/     the folder of a superpeer that was removed
 * </pre>
 */
public final class ClusterFolder {
    static final String SUPERVISOR_LOG = "supervisor.log";
    static final String SUPERVISOR_OUT = "supervisor.out";
    private static final String PLAN = "cluster.txt";
    private static final String LOCK = "cluster.lock";
    private static final String SUPERVISOR = "supervisor.run";
    static final String REBUILD = "rebuild.unfinished";
    private static final String PROGRAM = "supervisor.program";
    private static final String REQUESTS = "requests";
    private static final String FOREGROUND = " foreground ";
    private static final String BACKGROUND = " background ";
    private static final String START = "start-";
    private static final String SUPERPEER = "superpeer-";
    private static final String REMOVED = ".removed";
    /** The largest number of a superpeer. */
    private static final int NUMBER_MAX = 14;
    private static final long END_NS = TimeUnit.SECONDS.toNanos(20);
    private static final Pattern PLAN_FORM = Pattern.compile("teff cluster 1\nsuperpeers (\\d{1,4})\npeers (\\d{1,4})\n"
        + "port (\\d{1,5})\nmemory ([0-9a-zA-Z]+)\nheap-mb (\\d{1,6})\n(?:transport (tcp|ucx|verbs)\n)?"
        + "(?:backups ([1-4])\n)?(?:racks (\\d{1,4})\n)?");
    private static final Pattern PROGRAM_FORM = Pattern.compile("(\\d{1,18}) (" + ProcessId.START_FORM
        + ")( foreground | background )(.+)\n");
    private static final Pattern SUPERVISOR_FORM = Pattern.compile("(\\d{1,18}) (" + ProcessId.START_FORM + ")\n");

    private final Path path;
    private final ClusterPlan plan;
    private final List<LocalNode> nodes;

    private ClusterFolder(Path path, ClusterPlan plan) {
        this.path = path;
        this.plan = plan;
        List<LocalNode> all = new ArrayList<>();
        Map<String, String> planned = plan.files();
        names().forEach(name -> all.add(LocalNode.read(path.resolve(name), planned.get(name))));
        all.sort(Comparator.comparing(node -> !node.isSuperpeer()));
        nodes = List.copyOf(all);
    }

    /** Returns the names of the nodes: of the plan without removed superpeers, then of added superpeers. */
    private List<String> names() {
        List<String> names = new ArrayList<>(plan.files().keySet());
        names.removeIf(name -> Files.exists(path.resolve(name + REMOVED)));
        for (int number = 0; number <= NUMBER_MAX; number++) {
            String name = SUPERPEER + (number + 1);
            if (!names.contains(name) && Files.exists(path.resolve(name).resolve(LocalNode.FILE))) {
                names.add(name);
            }
        }
        return names;
    }

    /** {@return whether a folder is that of a cluster} */
    static boolean isCluster(Path path) {
        return Files.exists(path.resolve(PLAN));
    }

    /** {@return whether no file that each cluster has is missing: the deletion of the folder has not begun} */
    boolean exists() {
        return isCluster(path) && Files.exists(path.resolve(REQUESTS))
            && nodes.stream().allMatch(node -> Files.exists(node.folder().resolve(LocalNode.FILE))
                || Files.exists(path.resolve(node.name() + REMOVED)));
    }

    /**
     * Opens the folder of a cluster.
     *
     * @param path the folder
     * @return the cluster
     * @throws CommandFailure if there is no cluster
     */
    public static ClusterFolder open(Path path) {
        Path file = path.resolve(PLAN);
        try {
            Matcher form = PLAN_FORM.matcher(Files.readString(file));
            if (!form.matches()) {
                throw new CommandFailure(file + " was not written by this version of Teff, or is damaged");
            }
            return new ClusterFolder(path.toAbsolutePath().normalize(), new ClusterPlan(
                Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)), Integer.parseInt(form.group(3)),
                form.group(4), Integer.parseInt(form.group(5)),
                Objects.requireNonNullElse(form.group(6), ClusterPlan.TCP),
                form.group(7) == null ? ClusterPlan.BACKUPS : Integer.parseInt(form.group(7)),
                form.group(8) == null ? 0 : Integer.parseInt(form.group(8))));
        } catch (NoSuchFileException e) {
            throw new CommandFailure("there is no cluster in folder " + path + ": it has no " + PLAN
                + "\n  start one with: ./teff cluster up --dir " + path + "\n  or name its folder: --dir DIR", e);
        } catch (IOException e) {
            throw new CommandFailure("the folder " + path + " cannot be read: " + FailureText.of(e), e);
        }
    }

    /** Creates the files of a new cluster in an empty or missing folder. */
    static ClusterFolder create(Path path, ClusterPlan plan) throws IOException {
        PrivateFolder.make(path);
        PrivateFolder.close(path);                              // other users start and end nodes by files in here
        for (Map.Entry<String, String> entry : plan.files().entrySet()) {
            Path folder = path.resolve(entry.getKey());
            PrivateFolder.make(folder);
            Files.writeString(folder.resolve(LocalNode.FILE), entry.getValue());
        }
        PrivateFolder.make(path.resolve(REQUESTS));
        Files.writeString(path.resolve(PLAN), "teff cluster 1\nsuperpeers " + plan.superpeers() + "\npeers "
            + plan.peers() + "\nport " + plan.port() + "\nmemory " + plan.memory() + "\nheap-mb " + plan.heapMb()
            + (plan.transport().equals(ClusterPlan.TCP) ? "\n" : "\ntransport " + plan.transport() + "\n")
            + (plan.backups() == ClusterPlan.BACKUPS ? "" : "backups " + plan.backups() + "\n")
            + (plan.racks() == 0 ? "" : "racks " + plan.racks() + "\n"));
        return open(path);
    }

    /** Deletes the files of the cluster, and no other file. No process may run. */
    void delete() throws IOException {
        for (LocalNode node : nodes) {
            deleteTree(node.folder());
        }
        for (int number = 0; number <= NUMBER_MAX; number++) {
            deleteTree(path.resolve(SUPERPEER + (number + 1) + REMOVED));
        }
        deleteTree(path.resolve(REQUESTS));
        for (String name : List.of(PLAN, SUPERVISOR, SUPERVISOR_LOG, SUPERVISOR_LOG + ".1", SUPERVISOR_OUT, LOCK,
            PROGRAM, REBUILD)) {
            Files.deleteIfExists(path.resolve(name));
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** {@return the path, absolute} */
    public Path path() {
        return path;
    }

    /** {@return the plan} */
    public ClusterPlan plan() {
        return plan;
    }

    /** {@return all nodes, superpeers first} */
    public List<LocalNode> nodes() {
        return nodes;
    }

    /** {@return the configuration of the first superpeer, which says how to connect} */
    public NodeSettings entrance() {
        return nodes.getFirst().config();
    }

    /**
     * {@return a node by its name}
     *
     * @param name name of a node
     * @throws CommandFailure if the cluster has no such node
     */
    public LocalNode node(String name) {
        return nodes.stream().filter(node -> node.name().equals(name)).findFirst()
            .orElseThrow(() -> new CommandFailure("there is no node " + name + "; the nodes are "
                + String.join(", ", nodes.stream().map(LocalNode::name).toList())));
    }

    // ---- the supervisor ----

    /** Takes the supervisor's lock. A command takes the lock, too, if it changes a cluster without processes. */
    DiskLock lock() throws IOException {
        DiskLock lock = Disk.SYSTEM.lock(path.resolve(LOCK), "the supervisor, " + ProcessId.current());
        Files.writeString(path.resolve(SUPERVISOR), ProcessId.current().pid() + " " + ProcessId.current().start()
            + "\n");
        return lock;
    }

    /** Notes the end of a command with the supervisor's lock: this process is no supervisor. */
    void forgetSupervisor() throws IOException {
        Files.deleteIfExists(path.resolve(SUPERVISOR));
    }

    /** {@return the supervisor's process, or null if none runs} */
    public @Nullable ProcessId supervisor() {
        try {
            Matcher form = SUPERVISOR_FORM.matcher(Files.readString(path.resolve(SUPERVISOR)));
            ProcessId id = form.matches() ? new ProcessId(Long.parseLong(form.group(1)), form.group(2)) : null;
            return id != null && id.isAlive() ? id : null;
        } catch (NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            throw new CommandFailure("the folder " + path + " cannot be used: " + FailureText.of(e), e);
        }
    }

    /** Notes the program of this supervisor, and whether the supervisor is part of {@code up}. */
    void noteProgram(Program program, boolean isForeground) throws IOException {
        Files.writeString(path.resolve(PROGRAM), ProcessId.current().pid() + " " + ProcessId.current().start()
            + (isForeground ? FOREGROUND : BACKGROUND) + program.classPath() + "\n");
    }

    /** Returns the program of the present supervisor; null without a supervisor, or if its version notes no program. */
    @Nullable Program program() throws IOException {
        Matcher form = supervisorProgram();
        return form == null ? null : new Program(form.group(4));
    }

    /** Returns whether the present supervisor is part of the command {@code up --foreground}. */
    boolean isForeground() throws IOException {
        Matcher form = supervisorProgram();
        return form != null && FOREGROUND.equals(form.group(3));
    }

    /** Returns the note of the present supervisor; null if there is none, or if the note is of another supervisor. */
    private @Nullable Matcher supervisorProgram() throws IOException {
        ProcessId present = supervisor();
        Path file = path.resolve(PROGRAM);
        if (present == null || !Files.exists(file)) {
            return null;
        }
        Matcher form = PROGRAM_FORM.matcher(Files.readString(file));
        return form.matches() && present.isSame(new ProcessId(Long.parseLong(form.group(1)), form.group(2)))
            ? form : null;
    }

    // ---- rebuilds ----

    /** {@return whether a rebuild of the metadata has begun, and not ended} */
    boolean isRebuilding() {
        return Files.exists(path.resolve(REBUILD));
    }

    /** Notes the start of a rebuild, before the rebuild changes a file. */
    void beginRebuild() throws IOException {
        if (!isRebuilding()) {
            try (DiskFile mark = Disk.SYSTEM.create(path.resolve(REBUILD), 1)) {
                mark.force();
            }
        }
        Disk.SYSTEM.forceFolder(path);
    }

    /** Notes the end of a rebuild: the new metadata are valid. */
    void endRebuild() throws IOException {
        Files.deleteIfExists(path.resolve(REBUILD));
        Disk.SYSTEM.forceFolder(path);
    }

    /** Writes the configuration of a node that has lost its folder: the node begins anew, as a new node of the plan. */
    void restore(LocalNode node) throws IOException {
        String planned = plan.files().get(node.name());
        Path file = node.folder().resolve(LocalNode.FILE);
        if (planned != null && !Files.exists(file)) {
            PrivateFolder.make(node.folder());
            Files.writeString(file, planned);
        }
    }

    // ---- requests ----

    void requestStart(LocalNode node) throws IOException {
        restore(node);
        Files.writeString(path.resolve(REQUESTS).resolve(START + node.name()), "");
    }

    /** Takes the requests to start nodes, also of nodes that were added after this object was made. */
    List<LocalNode> takeStarts() throws IOException {
        List<LocalNode> taken = new ArrayList<>();
        for (String name : names()) {
            if (Files.deleteIfExists(path.resolve(REQUESTS).resolve(START + name))) {
                taken.add(LocalNode.read(path.resolve(name)));
            }
        }
        return taken;
    }

    // ---- changes of the superpeers ----

    /**
     * Returns a free port for another superpeer.
     *
     * @throws CommandFailure if there is none among the ports of superpeers
     */
    int freeSuperpeerPort() {
        List<String> used = nodes.stream().map(node -> node.config().listen()).toList();
        for (int port = plan.port(); port < plan.port() + ClusterPlan.SUPERPEER_PORTS; port++) {
            if (!used.contains(plan.link(port)) && NodeSettings.portFaults(List.of(plan.link(port))).isEmpty()) {
                return port;
            }
        }
        throw new CommandFailure("no port from " + plan.port() + " to "
            + (plan.port() + ClusterPlan.SUPERPEER_PORTS - 1) + " is free for another superpeer");
    }

    /** Makes the folder of a superpeer that was added. */
    LocalNode addSuperpeer(int number, int port, List<String> superpeers) throws IOException {
        String name = SUPERPEER + (number + 1);
        Path folder = path.resolve(name);
        deleteTree(path.resolve(name + REMOVED));               // of an earlier superpeer of this number
        PrivateFolder.make(folder);
        Files.writeString(folder.resolve(LocalNode.FILE), plan.superpeer(number, name, port, superpeers));
        return LocalNode.read(folder);
    }

    /** Writes the addresses of all superpeers, and the number of each superpeer, to the files of all nodes. */
    void changeSuperpeers(List<String> superpeers) throws IOException {
        for (LocalNode node : open(path).nodes()) {
            restore(node);
            Path file = node.folder().resolve(LocalNode.FILE);
            Map<NodeOption, List<String>> values = new EnumMap<>(NodeOption.class);
            try {
                NodeFile.read(file).forEach((option, value) -> values.put(option, value.values()));
            } catch (ConfigException e) {
                throw new CommandFailure(FailureText.of(e), e);
            }
            values.put(NodeOption.SUPERPEERS, superpeers);
            if (node.isSuperpeer()) {
                values.put(NodeOption.NUMBER, List.of(String.valueOf(node.config().number())));
            }
            Path fresh = file.resolveSibling(LocalNode.FILE + ".new");
            Files.writeString(fresh, NodeFile.write(values));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Ends a superpeer that was removed, and keeps its folder under another name. */
    void remove(LocalNode node) throws IOException {
        Path kept = path.resolve(node.name() + REMOVED);
        ProcessId process = node.process();
        if (process != null) {
            process.handle().ifPresent(ProcessHandle::destroy);
            if (!LocalCommand.await(() -> !process.isAlive(), END_NS)) {
                process.handle().ifPresent(ProcessHandle::destroyForcibly);
            }
            LocalCommand.await(() -> node.process() == null, END_NS);
        }
        deleteTree(kept);
        Files.move(node.folder(), kept, StandardCopyOption.ATOMIC_MOVE);
    }
}
