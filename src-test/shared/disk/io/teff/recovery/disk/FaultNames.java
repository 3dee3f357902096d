package io.teff.recovery.disk;

import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The names on a {@link FaultDisk}: the synced ones, and the changes since, each of which can be lost on its own.
 * Guarded by its disk.
 */
final class FaultNames {
    /** The content that stands for a folder. */
    static final FaultContent FOLDER = new FaultContent();

    /** A change in a folder: a name is removed, added, or both at once; the same name twice if none is removed. */
    private record Change(Path folder, Path gone, Path come, FaultContent content, boolean isDelete) {
        void apply(Map<Path, FaultContent> names) {
            names.remove(gone);
            if (!isDelete) {
                names.put(come, content);
            }
            if (content == FOLDER && !gone.equals(come)) {
                List<Path> inside = names.keySet().stream().filter(path -> path.startsWith(gone)).toList();
                inside.forEach(path -> names.put(come.resolve(gone.relativize(path)), names.remove(path)));
            }
        }
    }

    private static final int BLOCK = 4096;

    private final Map<Path, FaultContent> synced = new TreeMap<>();
    private final Map<Path, FaultContent> current = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();

    FaultNames() {
        synced.put(FaultDisk.ROOT, FOLDER);
        current.put(FaultDisk.ROOT, FOLDER);
    }

    private void change(Path gone, Path come, FaultContent content, boolean isDelete) throws NoSuchFileException {
        if (current.get(come.getParent()) != FOLDER) {
            throw new NoSuchFileException(come.toString());
        }
        Change change = new Change(come.getParent(), gone, come, content, isDelete);
        change.apply(current);
        changes.add(change);
    }

    FaultContent file(Path path) throws NoSuchFileException {
        FaultContent content = current.get(path);
        if (content == null || content == FOLDER) {
            throw new NoSuchFileException(path.toString());
        }
        return content;
    }

    void checkThere(Path path) throws NoSuchFileException {
        if (!current.containsKey(path)) {
            throw new NoSuchFileException(path.toString());
        }
    }

    FaultContent create(Path path, int bytes) throws NoSuchFileException, FileAlreadyExistsException {
        if (current.containsKey(path)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        FaultContent content = FaultContent.zeros(bytes);
        change(path, path, content, false);
        return content;
    }

    void createFolders(Path folder) throws NoSuchFileException {
        if (!current.containsKey(folder)) {
            createFolders(folder.getParent());
            change(folder, folder, FOLDER, false);
        }
    }

    void delete(Path path) throws NoSuchFileException, DirectoryNotEmptyException {
        if (current.get(path) != FOLDER) {
            change(path, path, file(path), true);
        } else if (list(path).isEmpty()) {
            change(path, path, FOLDER, true);
        } else {
            throw new DirectoryNotEmptyException(path.toString());
        }
    }

    /** Gives a file a second name. */
    void link(Path existing, Path link) throws NoSuchFileException, FileAlreadyExistsException {
        FaultContent content = file(existing);
        if (current.containsKey(link)) {
            throw new FileAlreadyExistsException(link.toString());
        }
        change(link, link, content, false);
    }

    void rename(Path source, Path target) throws NoSuchFileException {
        if (!source.getParent().equals(target.getParent())) {
            throw new IllegalArgumentException(source + " and " + target + " are in different folders");
        }
        if (current.get(source) != FOLDER) {
            change(source, target, file(source), false);
        } else if (changes.stream().anyMatch(change -> change.folder().startsWith(source))) {
            throw new IllegalStateException("names in " + source + " are not synced");
        } else {
            change(source, target, FOLDER, false);
        }
    }

    List<String> list(Path folder) throws NoSuchFileException {
        if (current.get(folder) != FOLDER) {
            throw new NoSuchFileException(folder.toString());
        }
        return current.keySet().stream().filter(path -> folder.equals(path.getParent()))
            .map(path -> path.getFileName().toString()).sorted().toList();
    }

    /** Returns the bytes of the blocks of all files. */
    long blockBytes() {
        return current.values().stream().distinct().mapToLong(file -> blockBytes(file.length())).sum();
    }

    /** Returns the bytes of the blocks of a file of some bytes. */
    static long blockBytes(long bytes) {
        return (bytes + BLOCK - 1) / BLOCK * BLOCK;
    }

    void unmapAll() {
        current.values().forEach(FaultContent::unmap);
    }

    void force(Path folder) {
        changes.removeIf(change -> {
            boolean here = change.folder().equals(folder);
            if (here) {
                change.apply(synced);
            }
            return here;
        });
    }

    /** Copies the names, including unsynced ones, for another disk; each file is copied once, whatever its names. */
    FaultNames copy(UnaryOperator<FaultContent> files) {
        Map<FaultContent, FaultContent> copies = new IdentityHashMap<>(Map.of(FOLDER, FOLDER));
        UnaryOperator<FaultContent> once = file -> copies.computeIfAbsent(file, files);
        FaultNames copy = new FaultNames();
        synced.forEach((path, file) -> copy.synced.put(path, once.apply(file)));
        current.forEach((path, file) -> copy.current.put(path, once.apply(file)));
        changes.forEach(change -> copy.changes.add(new Change(change.folder(), change.gone(), change.come(),
            once.apply(change.content()), change.isDelete())));
        return copy;
    }

    /** Returns the names after a power cut: each unsynced change is kept or lost by decision. */
    FaultNames powerCut(Choices choices) {
        Map<Path, FaultContent> left = new TreeMap<>(synced);
        for (Change change : changes) {
            if (choices.pick(2) == FaultDisk.KEEP) {
                change.apply(left);
            }
        }
        left.keySet().removeIf(path -> !isReachable(left, path));
        FaultNames names = new FaultNames();
        names.synced.putAll(left);
        names.current.putAll(left);
        return names.copy(file -> file.powerCut(choices));
    }

    private static boolean isReachable(Map<Path, FaultContent> names, Path path) {
        for (Path folder = path.getParent(); folder != null; folder = folder.getParent()) {
            if (names.get(folder) != FOLDER) {
                return false;
            }
        }
        return true;
    }
}
