package io.teff.cluster.job;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.compute.ClusterApplication;
import io.teff.cluster.compute.ClusterJars;
import io.teff.cluster.compute.UploadedJar;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.engine.ChunkJob;
import io.teff.engine.GroupTask;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import io.teff.engine.work.Registered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The code of a peer: the classes on the class path, and those of the jars that the node may load. Thread-safe.
 *
 * <p>The configuration of the node names the jars by their SHA-256. A jar comes from the folder of the node, or else
 * from {@linkplain ClusterJars the cluster}, and then into the folder. So a node that starts has its jars before the
 * first job, and without other nodes. Bytes with another hash are never loaded. Each jar has a class loader of its own,
 * which ends with the last node of the process with this jar.
 *
 * <p>A node looks for its missing jars when a job or task is unknown, at most once in a second, and each ten seconds
 * otherwise. A node without allowed jars looks never.
 */
public final class NodeJars implements AutoCloseable {
    private static final String FOLDER = "jars";
    private static final String SUFFIX = ".jar";
    private static final String NEW_NAME = "new.jar";
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(10);

    private final Set<String> allowed;
    private final Supplier<ClusterStore> store;
    private final Path folder;
    private final NodeLog log;
    private final Clock clock;
    private final Disk disk;
    private final Consumer<ClusterApplication> starter;
    private final Registered<ChunkJob> jobs = new Registered<>(ChunkJob::name);
    private final Registered<GroupTask> tasks = new Registered<>(GroupTask::name);
    private final @Nullable Thread keeper;
    /** The hashes of the loaded jars. Guarded by this. */
    private final Set<String> loaded = new TreeSet<>();
    private long lookedNs;
    private boolean hasLooked;
    private volatile String lack = "";
    private volatile boolean isClosed;

    /**
     * Begins without jars.
     *
     * @param allowed hashes of the jars that the node may load
     * @param store the whole cluster
     * @param folder data folder of the node
     * @param platform clock, threads and disk
     * @param log of the node
     * @param starter starts the applications of a jar
     */
    public NodeJars(Set<String> allowed, Supplier<ClusterStore> store, Path folder, Platform platform, NodeLog log,
                    Consumer<ClusterApplication> starter) {
        this.allowed = Set.copyOf(allowed);
        this.store = store;
        this.folder = folder.resolve(FOLDER);
        this.log = log;
        this.starter = starter;
        clock = platform.clock();
        disk = platform.disk();
        keeper = allowed.isEmpty() ? null : platform.threads().create("teff-jars", this::run);
    }

    /** Loads the jars of the folder, and begins to look for the others. */
    public void start() {
        if (keeper == null) {
            return;
        }
        synchronized (this) {
            allowed.forEach(this::loadKept);
        }
        keeper.start();
    }

    private void run() {
        while (!isClosed && isMissing()) {
            look();
            Threads.rest(this, REST_NS);
        }
    }

    private synchronized boolean isMissing() {
        return loaded.size() < allowed.size();
    }

    // ---- finding code ----

    @Nullable ChunkJob job(String name) {
        return find(JobClasses.jobs(), jobs, name);
    }

    @Nullable GroupTask task(String name) {
        return find(JobClasses.tasks(), tasks, name);
    }

    private <T> @Nullable T find(Registered<T> own, Registered<T> ofJars, String name) {
        final T known = own.find(name) == null ? ofJars.find(name) : own.find(name);
        return known == null && look() ? ofJars.find(name) : known;
    }

    /** Returns why there is no job of a name, as a text behind another text. */
    String whyNoJob(String name) {
        return JobClasses.jobs().why(name) + jobs.why(name) + lack;
    }

    /** Returns why there is no task of a name, as a text behind another text. */
    String whyNoTask(String name) {
        return JobClasses.tasks().why(name) + tasks.why(name) + lack;
    }

    // ---- loading ----

    /** Loads the missing jars that the cluster has; returns whether a jar was loaded. */
    private synchronized boolean look() {
        if (isClosed || loaded.size() == allowed.size() || hasLooked && clock.nowNs() - lookedNs < LOOK_NS) {
            return false;
        }
        final int before = loaded.size();
        try {
            final ClusterJars jars = ClusterJars.of(store.get());
            for (String hash : allowed) {
                if (!loaded.contains(hash)) {
                    jars.bytes(hash).ifPresent(bytes -> keep(hash, bytes));
                }
            }
            lack = lack(jars.list());
        } catch (RuntimeException e) {                          // of a store that opens or closes, too
            lack = "; the jars of the cluster cannot be read: " + FailureText.of(e);
        }
        lookedNs = clock.nowNs();
        hasLooked = true;
        return loaded.size() > before;
    }

    private String lack(List<UploadedJar> uploaded) {
        final Set<String> missing = new TreeSet<>(allowed);
        missing.removeAll(loaded);
        final String others = uploaded.stream().filter(jar -> !allowed.contains(jar.hash()))
            .map(jar -> jar.name() + " (" + jar.hash() + ")").collect(Collectors.joining(", "));
        return (missing.isEmpty() ? "" : "; jars that are allowed and not uploaded: " + String.join(", ", missing))
            + (others.isEmpty() ? "" : "; jars that are uploaded and not allowed at this node: " + others);
    }

    private void keep(String hash, byte[] bytes) {
        final Path file = folder.resolve(hash + SUFFIX);
        final Path next = folder.resolve(NEW_NAME);
        try {
            disk.createFolders(folder);
            if (disk.list(folder).contains(NEW_NAME)) {
                disk.delete(next);
            }
            try (DiskFile out = disk.create(next, bytes.length)) {
                out.write(ByteBuffer.wrap(bytes), 0);
                out.force();
            }
            disk.rename(next, file);
            disk.forceFolder(folder);
        } catch (IOException e) {
            log.log(NodeEvent.FAULT, "jar " + hash + " cannot be kept: " + FailureText.of(e));
            return;
        }
        load(hash, file);
    }

    private void loadKept(String hash) {
        final Path file = folder.resolve(hash + SUFFIX);
        try {
            disk.createFolders(folder);
            if (!disk.list(folder).contains(hash + SUFFIX)) {
                return;
            }
            if (!ClusterJars.hash(read(file)).equals(hash)) {
                log.log(NodeEvent.FAULT, file + " has another hash than its name, and is not loaded");
                return;
            }
        } catch (IOException e) {
            log.log(NodeEvent.FAULT, file + " cannot be read: " + FailureText.of(e));
            return;
        }
        load(hash, file);
    }

    private byte[] read(Path file) throws IOException {
        try (DiskFile in = disk.openToRead(file)) {
            final ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(in.size(), ClusterJars.BYTES_MAX));
            in.read(bytes, 0);
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    private void load(String hash, Path file) {
        final ClassLoader loader;
        try {
            loader = JarLoader.use(hash, file);
        } catch (IOException e) {
            log.log(NodeEvent.FAULT, "jar " + hash + " cannot be loaded: " + FailureText.of(e));
            return;
        }
        loaded.add(hash);
        jobs.addAll(ServiceLoader.load(ChunkJob.class, loader), type -> loader.equals(type.getClassLoader()));
        tasks.addAll(ServiceLoader.load(GroupTask.class, loader), type -> loader.equals(type.getClassLoader()));
        final Registered<ClusterApplication> applications = new Registered<>(ClusterApplication::name)
            .addAll(ServiceLoader.load(ClusterApplication.class, loader), type -> loader.equals(type.getClassLoader()));
        applications.problems().forEach(problem -> log.log(NodeEvent.FAULT, "jar " + hash + ": " + problem));
        log.log(NodeEvent.NODE, "jar " + hash + " is loaded");
        applications.all().forEach(starter);
    }

    /** {@return the hashes of the jars that are loaded} */
    public synchronized List<String> loaded() {
        return List.copyOf(loaded);
    }

    /** Ends the use of the class loaders. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        if (keeper != null) {
            LockSupport.unpark(keeper);
        }
        synchronized (this) {
            for (String hash : loaded) {
                try {
                    JarLoader.release(hash);
                } catch (IOException e) {
                    log.log(NodeEvent.FAULT, "jar " + hash + " does not close: " + FailureText.of(e));
                }
            }
            loaded.clear();
        }
    }
}
