package io.teff.test.bench.attack;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.wire.DialerHandshake;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.GreetingReader;
import io.teff.cluster.net.wire.Identity;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An attacker's side of a link: a plain blocking socket that sends arbitrary bytes. */
final class HostileLink implements AutoCloseable {
    static final int NID = 50;
    private static final int VERSION = 2;
    private static final int CHALLENGE_BYTES_MAX = 1 << 10;

    private final SocketChannel channel;
    private final ByteBuffer heard = ByteBuffer.allocate(CHALLENGE_BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
    private final DialerHandshake handshake;

    HostileLink(SocketAddress to) throws IOException {
        channel = SocketChannel.open(to);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        handshake = new DialerHandshake(new Identity(NID, 1, ClusterId.NONE, 0), Victim.NID, Victim.SECRET,
            _ -> new Greeting.Proof(false, new byte[Greeting.MAC_BYTES], System.nanoTime(), 0, Victim.WINDOW_BYTES,
                false));
    }

    // ---- bytes ----

    byte[] hello() {
        return handshake.hello(new byte[Greeting.NONCE_BYTES]);
    }

    /** Returns a message frame without a checksum. */
    static byte[] frame(long position, int type, int lane, int bytes) {
        MemorySegment memory = Arena.ofAuto().allocate(Frame.taken(bytes), Frame.ALIGNMENT);
        Frame.begin(memory, 0, type, lane, 0, 0);
        Frame.commit(memory, 0, bytes, position);
        byte[] frame = new byte[Frame.taken(bytes)];
        Frame.copyOut(memory, 0, frame, 0, frame.length);
        return frame;
    }

    // ---- conversation ----

    void say(byte[] bytes) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    private Greeting hear() throws IOException {
        GreetingReader reader = new GreetingReader();
        while (true) {
            heard.clear();
            if (channel.read(heard) < 0) {
                throw new IOException("the link has ended in the middle of its greeting");
            }
            Greeting greeting = reader.read(heard.flip());
            if (greeting != null) {
                return greeting;
            }
        }
    }

    /** Exchanges greetings, and returns the proof without sending it. */
    byte[] greet() throws IOException {
        say(hello());
        return answer(hear());
    }

    /** Returns a proof computed without an answer of the peer. */
    byte[] proofToNobody() throws IOException {
        return answer(new Greeting.Challenge(new byte[Greeting.NONCE_BYTES], 1, Victim.NID, VERSION, 0,
            ClusterId.NONE));
    }

    private byte[] answer(Greeting challenge) throws IOException {
        byte @Nullable [] proof = handshake.take(challenge);
        return Objects.requireNonNull(proof);
    }

    /** Completes the handshake: there is a session from now on. */
    HostileLink proved() throws IOException {
        say(greet());
        handshake.take(hear());
        return this;
    }

    /** Waits until the other side has ended the link. */
    void awaitEnd() {
        try {
            do {
                heard.clear();
            } while (channel.read(heard) >= 0);
        } catch (IOException e) {
            return;                                             // it was reset
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
