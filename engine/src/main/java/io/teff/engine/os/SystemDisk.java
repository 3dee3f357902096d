package io.teff.engine.os;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The file systems of this machine. */
final class SystemDisk implements Disk {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int ZEROS_BYTES = 1 << 20;

    @Override
    public DiskFile create(Path path, long bytes) throws IOException {
        return create(path, bytes, file -> writeZeros(file, bytes));
    }

    @Override
    public DiskFile reserve(Path path, long bytes) throws IOException {
        return create(path, bytes, file -> {
            LinuxFile.Result result = bytes > 0 && LinuxMemory.available() ? LinuxFile.reserve(path, bytes)
                : LinuxFile.Result.UNSUPPORTED;
            if (result == LinuxFile.Result.FULL) {
                throw new DiskFullException(path + ": the disk is full", null);
            } else if (result == LinuxFile.Result.UNSUPPORTED) {
                writeZeros(file, bytes);
            }
        });
    }

    /** Gives a new file its room. */
    @FunctionalInterface
    private interface Filling {
        void fill(DiskFile file) throws IOException;
    }

    private static DiskFile create(Path path, long bytes, Filling filling) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw DiskFailures.named(e, path);
        }
        DiskFile file = new SystemFile(channel, path);
        try {
            filling.fill(file);
            return file;
        } catch (IOException e) {
            file.close();
            Files.delete(path);
            throw e instanceof DiskFullException ? full(path, bytes, e) : e;
        }
    }

    private static DiskFullException full(Path path, long bytes, IOException cause) {
        String free;
        try {
            Path folder = path.toAbsolutePath().getParent();
            free = Units.bytes(Files.getFileStore(folder == null ? path : folder).getUsableSpace());
        } catch (IOException _) {
            free = "an unknown number of bytes";
        }
        return new DiskFullException(path + ": the disk is full: the file takes " + Units.bytes(bytes) + ", and " + free
            + " are free", cause);
    }

    private static void writeZeros(DiskFile file, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, ZEROS_BYTES));
        for (long at = 0; at < bytes; at += zeros.limit()) {
            file.write(zeros.clear().limit((int) Math.min(bytes - at, zeros.capacity())), at);
        }
    }

    @Override
    public DiskFile open(Path path) throws IOException {
        return new SystemFile(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE), path);
    }

    @Override
    public DiskFile openToRead(Path path) throws IOException {
        return new SystemFile(FileChannel.open(path, StandardOpenOption.READ), path);
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw DiskFailures.named(e, folder);
        }
    }

    @Override
    public List<String> list(Path folder) throws IOException {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(path);
    }

    @Override
    public void rename(Path source, Path target) throws IOException {
        try {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw DiskFailures.named(e, target);
        }
    }

    @Override
    public boolean link(Path existing, Path link) throws IOException {
        try {
            Files.createLink(link, existing);
            return true;
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException _) {
            return false;                                       // another device, too many links, not permitted
        }
    }

    @Override
    public Path real(Path path) throws IOException {
        return path.toRealPath();
    }

    @Override
    public long birthNs(Path path) throws IOException {
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
        FileTime birth = found.creationTime();
        // where the system does not know it, the JDK returns the time of the last write
        return birth.equals(found.lastModifiedTime()) ? NO_BIRTH : birth.to(TimeUnit.NANOSECONDS);
    }

    @Override
    public long ownBirthNs(Path path) throws IOException {
        final long birth = birthNs(path);
        if (birth != NO_BIRTH) {
            return birth;
        }
        // made and last written within one tick of the kernel's clock, or unknown: only another time of writing tells
        FileTime written = Files.getLastModifiedTime(path);
        Files.setLastModifiedTime(path, FileTime.from(written.toInstant().minusSeconds(1)));
        return birthNs(path);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw DiskFailures.named(e, folder);
        }
    }

    @Override
    public DiskLock lock(Path path, String holder) throws IOException {
        return SystemLock.take(path, holder);
    }

    @Override
    public Closeable lockShared(Path path, String holder) throws IOException {
        return SystemLock.share(path, holder);
    }

    @Override
    public @Nullable UUID boot() {
        try {
            return UUID.fromString(Files.readString(BOOT, StandardCharsets.US_ASCII).strip());
        } catch (IOException | IllegalArgumentException _) {
            return null;                                        // not Linux
        }
    }

    @Override
    public long usableBytes(Path folder) throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }
}
