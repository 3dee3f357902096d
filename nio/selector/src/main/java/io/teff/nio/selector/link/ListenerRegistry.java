package io.teff.nio.selector.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The listening addresses of programs with the provider on this machine: a folder with a file for each address.
 *
 * <p>The name of a file is the port, the address in hexadecimal digits or {@code any}, and the number of the network
 * namespace, with hyphens between them. The content names the network namespace, the socket at which the program takes
 * offers, and the side port of the program, 0 for none. A file may be stale: the socket refuses connections then, and
 * the file is removed. The folder belongs to the user, and no other user can enter.
 */
final class ListenerRegistry {
    private static final String MAGIC = "teff-nio 2";
    private static final String ANY = "any";
    private static final int LINES = 4;
    private static final long LOCAL_NS = 10_000_000_000L;

    private record Entry(Path socket, int sidePort) {}

    private final Path folder;
    private final String namespace;
    private final Map<InetAddress, Long> localUntilNs = new ConcurrentHashMap<>();

    private ListenerRegistry(Path folder, String namespace) {
        this.folder = folder;
        this.namespace = namespace;
    }

    /** Opens the folder, and makes it if it is missing. An empty path means the folder of the user in shared memory. */
    static ListenerRegistry open(String path) throws IOException {
        final Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        final Path folder = path.isEmpty() ? Path.of("/dev/shm", "teff-nio-" + user) : Path.of(path);
        if (!Files.isDirectory(folder)) {
            try {
                Files.createDirectory(folder,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (java.nio.file.FileAlreadyExistsException e) {
                Files.getLastModifiedTime(folder);              // another program was faster
            }
        }
        final boolean isPrivate = PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
            .endsWith("------");
        if (!isPrivate || !user.equals(Files.getAttribute(folder, "unix:uid"))) {
            throw new IOException(folder + " is open to other users");
        }
        return new ListenerRegistry(folder, Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString());
    }

    Path folder() {
        return folder;
    }

    /** {@return whether an address is of this machine} */
    boolean isLocal(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        final long nowNs = System.nanoTime();
        final Long until = localUntilNs.get(address);
        if (until != null && nowNs - until < 0) {
            return true;
        }
        try {
            if (NetworkInterface.getByInetAddress(address) != null) {
                localUntilNs.put(address, nowNs + LOCAL_NS);
                return true;
            }
        } catch (SocketException e) {
            localUntilNs.remove(address);
        }
        return false;
    }

    private Path file(@Nullable InetAddress address, int port) {
        return folder.resolve(port + "-" + (address == null || address.isAnyLocalAddress() ? ANY
            : HexFormat.of().formatHex(address.getAddress())) + "-" + namespace.replaceAll("[^0-9]", ""));
    }

    /** Writes a listening address; returns the file. */
    Path add(InetAddress address, int port, Path socket, int sidePort) throws IOException {
        final Path file = file(address, port);
        final Path fresh = Files.createTempFile(folder, "new-", "");
        Files.writeString(fresh, String.join("\n", MAGIC, namespace, socket.toString(), String.valueOf(sidePort)),
            StandardCharsets.UTF_8);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        return file;
    }

    /** Finds the socket for offers of the program that listens at an address; null if there is none. */
    @Nullable Path find(InetAddress address, int port) {
        final Entry found = entry(address, port);
        return found == null ? null : found.socket();
    }

    /** Finds the side port of the program that listens at an address; 0 if there is none. */
    int findSidePort(InetAddress address, int port) {
        final Entry found = entry(address, port);
        return found == null ? 0 : found.sidePort();
    }

    private @Nullable Entry entry(InetAddress address, int port) {
        final Entry exact = read(file(address, port));
        return exact == null ? read(file(null, port)) : exact;
    }

    private @Nullable Entry read(Path file) {
        try {
            final List<String> lines = Files.readAllLines(file);
            return lines.size() == LINES && lines.get(0).equals(MAGIC) && lines.get(1).equals(namespace)
                ? new Entry(Path.of(lines.get(2)), Integer.parseInt(lines.get(LINES - 1))) : null;
        } catch (NoSuchFileException | NumberFormatException e) {
            return null;
        } catch (IOException e) {
            return null;                                        // unreadable, so as good as missing
        }
    }

    /** Removes the files of an address that name a socket. */
    void remove(InetAddress address, int port, Path socket) {
        for (Path file : List.of(file(address, port), file(null, port))) {
            final Entry found = read(file);
            if (found != null && found.socket().equals(socket)) {
                delete(file);
            }
        }
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            assert !file.toString().isEmpty();                  // a stale file does no harm
        }
    }
}
