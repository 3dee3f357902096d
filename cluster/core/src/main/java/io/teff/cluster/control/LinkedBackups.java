package io.teff.cluster.control;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.archive.BackupCheck;
import io.teff.cluster.archive.BackupFolder;
import io.teff.cluster.archive.BackupId;
import io.teff.cluster.archive.BackupRestore;
import io.teff.cluster.archive.BackupTaking;
import io.teff.cluster.archive.Manifest;
import io.teff.cluster.archive.ServicesFile;
import io.teff.cluster.client.SplitHold;
import io.teff.cluster.client.StoreExport;
import io.teff.cluster.client.StoreImport;
import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.cluster.service.ClusterNames;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Disk;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.recovery.DurableStore;
import io.teff.recovery.ReadOnlyStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes and restores backups over a connection to the cluster; found by the service loader. Thread-safe. */
public final class LinkedBackups implements ClusterBackups {
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);

    private final Platform platform = Platform.SYSTEM;
    private final Disk disk = platform.disk();

    /** For the service loader. */
    public LinkedBackups() {}

    private static Report report(Manifest of) {
        final BackupId base = of.baseId();
        return new Report(of.cluster().hex(), of.backup().hex(), base == null ? null : base.hex(),
            of.zones().size(), of.lost(), of.zones().stream().mapToLong(Manifest.Zone::chunks).sum(),
            of.zones().stream().mapToLong(Manifest.Zone::payloadBytes).sum(),
            of.zones().stream().mapToLong(Manifest.Zone::length).sum(), of.names());
    }

    // ---- backup ----

    @Override
    public Report take(ClientConfig config, Path folder, @Nullable Path base, Consumer<Progress> progress)
        throws IOException {
        final BackupFolder before = base == null ? null : BackupFolder.open(disk, base);
        try (CellLink link = CellLink.find(config, platform);
             BackupTaking taking = BackupTaking.begin(disk, new LinkedZones(link, platform.clock()), folder, before,
                 new BackupId(platform.chance().nextLong(), platform.chance().nextLong()), progress);
             ClusterStore store = connect(config); SplitHold splits = new SplitHold(store, platform.clock())) {
            final List<Manifest.Zone> zones = taking.takeZones(splits);
            final List<ServicesFile.Name> names = new ArrayList<>();
            final long revision = names(store, names);
            taking.end(zones, taking.lost(), revision, names);
        }
        return look(folder);
    }

    private static ClusterStore connect(ClientConfig config) throws IOException {
        try {
            return ClusterStore.connect(config);
        } catch (StoreException e) {
            throw new IOException("the cluster does not answer a client: " + FailureText.of(e), e);
        }
    }

    /** Reads the names of services that are bound to no session and live for ever; returns the last revision. */
    private static long names(ClusterStore store, List<ServicesFile.Name> names) throws IOException {
        try {
            long revision = 0;
            String after = "";
            boolean isLast = false;
            while (!isLast) {
                final ClusterNames.Page page = store.services().names().list("", after);
                for (ClusterNames.Entry entry : page.entries()) {
                    if (!entry.isBound() && !entry.isTemporary() && !entry.name().equals(RestoreMark.NAME)) {
                        names.add(new ServicesFile.Name(entry.name(), entry.value()));
                    }
                    after = entry.name();
                }
                revision = Math.max(revision, page.revision());
                isLast = page.isLast();
            }
            return revision;
        } catch (StoreException e) {
            throw new IOException("the names of services cannot be read: " + FailureText.of(e), e);
        }
    }

    @Override
    public Report look(Path folder) throws IOException {
        return report(BackupFolder.open(disk, folder).manifest());
    }

    @Override
    public List<String> verify(Path folder, Consumer<Progress> progress) {
        return BackupCheck.faults(disk, folder, progress);
    }

    // ---- restore ----

    @Override
    public Report restore(ClientConfig config, Path folder, boolean isAgain, Consumer<Progress> progress)
        throws IOException {
        final BackupFolder backup = BackupFolder.open(disk, folder);
        final Manifest manifest = backup.manifest();
        try (CellLink link = CellLink.find(config, platform)) {
            final LinkedZones zones = new LinkedZones(link, platform.clock());
            if (zones.cluster().isSame(manifest.cluster())) {
                throw new IOException("the cluster is the one from which the backup was taken; a backup is restored "
                    + "into a new cluster");
            }
            restore(config, backup, link, zones, isAgain, progress);
        } catch (StoreException e) {
            throw new IOException("the services of the cluster do not answer: " + FailureText.of(e), e);
        }
        return report(manifest);
    }

    private static void restore(ClientConfig config, BackupFolder backup, CellLink link, LinkedZones zones,
                                boolean isAgain, Consumer<Progress> progress) throws IOException {
        final Manifest manifest = backup.manifest();
        final List<ServicesFile.Name> services = backup.services();
        try (ClusterStore store = ClusterStore.connect(config)) {
            final ClusterNames names = store.services().names();
            RestoreMark mark = RestoreMark.find(names, manifest.backup(), isAgain);
            if (mark == null) {
                raise(link, manifest.revision());
                mark = RestoreMark.begin(names, manifest.backup());
            }
            zones.createZones(manifest.zones().isEmpty() ? 0 : manifest.zones().getLast().zone());
            new BackupRestore(zones, backup, mark, progress).run();
            for (ServicesFile.Name name : services) {
                names.put(name.name(), name.value());
            }
            mark.end();
        }
    }

    /** Raises the numbers of the registry above those of the backup. The registry must be empty. */
    private static void raise(CellLink link, long revision) throws IOException {
        final ServiceAnswer answer = link.send(RegistryStep.of(StepCode.RAISE, revision, ""), PATIENCE_NS);
        if (answer == null) {
            throw new IOException("no superpeer leads: " + link.problem());
        }
        if (answer.code() != RegistryResult.DONE) {
            throw new IOException("the cluster has names or locks of services, and no unfinished restore; a backup is "
                + "restored into a new cluster");
        }
    }

    // ---- local stores ----

    @Override
    public Transfer importStore(ClientConfig config, Path store, Consumer<Progress> progress) throws IOException {
        final Path snapshot = isFolder(store) ? snapshot(store) : store;
        try (CellLink link = CellLink.find(config, platform); ClusterStore target = ClusterStore.connect(config)) {
            return StoreImport.run(() -> Store.restore(snapshot, StoreConfig.builder().name("import").build()),
                new LinkedZones(link, platform.clock()), target, progress);
        } catch (StoreException | IllegalArgumentException e) {
            throw new IOException(FailureText.of(e), e);
        } finally {
            if (!snapshot.equals(store)) {
                disk.delete(snapshot);
            }
        }
    }

    /** Writes a snapshot of a durable store, because a store that is opened for reading cannot be changed. */
    private Path snapshot(Path store) throws IOException {
        final Path snapshot = Path.of(System.getProperty("java.io.tmpdir")).resolve("teff-import-"
            + HexFormat.of().toHexDigits(platform.chance().nextLong()));
        try (ReadOnlyStore source = DurableStore.openReadOnly(store)) {
            if (!source.damage().isEmpty()) {
                throw new IOException("the store is damaged: " + source.damage());
            }
            final var _ = source.store().snapshot(snapshot);
            return snapshot;
        } catch (StoreException e) {
            throw new IOException(FailureText.of(e), e);
        }
    }

    private boolean isFolder(Path path) {
        try {
            disk.list(path);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public Transfer exportStore(Path backup, Path store, Consumer<Progress> progress) throws IOException {
        final BackupFolder from = BackupFolder.open(disk, backup);
        BackupTaking.requireAbsent(disk, store);
        final Path target = store.toAbsolutePath().normalize();
        final Path work = target.resolveSibling(target.getFileName() + ".unfinished");
        BackupTaking.requireAbsent(disk, work);
        final Transfer transfer;
        try (DurableStore made = DurableStore.open(work)) {
            transfer = StoreExport.run(from, made.store(), progress);
            made.sync();
        } catch (StoreException | IllegalArgumentException e) {
            throw new IOException(FailureText.of(e), e);
        }
        BackupTaking.rename(disk, work, target);
        return transfer;
    }
}
