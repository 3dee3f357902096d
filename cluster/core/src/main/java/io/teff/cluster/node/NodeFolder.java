package io.teff.cluster.node;

import io.teff.cluster.config.NodeConfig;
import io.teff.cluster.config.NodeRole;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The data folder of a node, locked by this process: file {@code node.lock} has the lock, file {@code node.id} names
 * the folder's id and role. The cell binds the node's NID to the id. Thread-safe.
 */
public final class NodeFolder implements AutoCloseable {
    private static final String ID_FILE = "node.id";
    private static final String LOCK_FILE = "node.lock";
    private static final Pattern ID_FORM = Pattern.compile("teff node 1\nid ([0-9a-f-]{36})\nrole ([a-z]+)\n");

    private final Path path;
    private final UUID id;
    private final DiskLock lock;

    private NodeFolder(Path path, UUID id, DiskLock lock) {
        this.path = path;
        this.id = id;
        this.lock = lock;
    }

    /**
     * Locks a folder, and creates it at its first use.
     *
     * @param config of the node
     * @return the folder
     * @throws NodeStartException if another process uses it, or it belongs to something else
     */
    static NodeFolder open(NodeConfig config) throws NodeStartException {
        Path path = config.folder();
        try {
            Disk.SYSTEM.createFolders(path);
            DiskLock lock = Disk.SYSTEM.lock(path.resolve(LOCK_FILE), config.name() + ", process "
                + ProcessHandle.current().pid());
            UUID id = null;
            try {
                id = id(path, config.role());
            } finally {
                if (id == null) {
                    lock.close();
                }
            }
            return new NodeFolder(path, id, lock);
        } catch (LockedException e) {
            throw new NodeStartException("the folder " + path + " is in use: " + FailureText.of(e), e);
        } catch (IOException e) {
            throw new NodeStartException("the folder " + path + " cannot be used: " + FailureText.of(e), e);
        }
    }

    private static UUID id(Path path, NodeRole role) throws IOException, NodeStartException {
        Path file = path.resolve(ID_FILE);
        if (!Files.exists(file)) {
            List<String> others = Disk.SYSTEM.list(path).stream().filter(name -> !name.startsWith("node.")).toList();
            if (!others.isEmpty()) {
                throw new NodeStartException("the folder " + path + " is not a node's: it has no " + ID_FILE
                    + ", but other files, such as " + others.getFirst() + "; name an empty or a new folder", null);
            }
            UUID id = new UUID(Chance.SYSTEM.nextLong(), Chance.SYSTEM.nextLong());
            Path fresh = path.resolve(ID_FILE + ".new");
            Files.writeString(fresh, "teff node 1\nid " + id + "\nrole " + role.text() + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            Disk.SYSTEM.forceFolder(path);
            return id;
        }
        Matcher form = ID_FORM.matcher(Files.readString(file));
        if (!form.matches()) {
            throw new NodeStartException(file + " was not written by this version of Teff, or is damaged; name another "
                + "folder", null);
        }
        if (!form.group(2).equals(role.text())) {
            throw new NodeStartException("the folder " + path + " belongs to a " + form.group(2) + ", and this node is"
                + " a " + role.text() + "; name another folder", null);
        }
        return UUID.fromString(form.group(1));
    }

    /**
     * {@return the id of a node's folder, or null if it has none}
     *
     * @param path the folder, which may be in use
     * @throws IOException if the file cannot be read
     */
    public static @Nullable UUID idOf(Path path) throws IOException {
        Path file = path.resolve(ID_FILE);
        Matcher form = ID_FORM.matcher(Files.exists(file) ? Files.readString(file) : "");
        return form.matches() ? UUID.fromString(form.group(1)) : null;
    }

    /** {@return the path} */
    public Path path() {
        return path;
    }

    /** {@return the folder's id} */
    public UUID id() {
        return id;
    }

    /** Unlocks the folder. Idempotent. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException _) {
            return;                                             // the end of the process unlocks it
        }
    }
}
