package io.teff.cluster.consensus;

import io.aeron.archive.checksum.Checksum;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The checksum of a frame in the archive: CRC-32C, written by the archive with each frame and compared when the archive
 * reads the frame again. So a damaged frame is found, and is not applied as another command. Aeron's own class of this
 * kind needs an opened package of the JDK. Frames are no longer than a packet, so a copy is cheap. Stateless.
 */
final class FrameChecksum implements Checksum {
    @Override
    public int compute(long address, int offset, int length) {
        byte[] bytes = new byte[length];
        new UnsafeBuffer(address + offset, length).getBytes(0, bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
