package io.teff.test.cluster.nodes;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A program of this machine without the secret of a cluster. The program sends garbage and frames of Aeron to UDP
 * ports; sends garbage, a recorded greeting and begins of greetings to TCP ports; and holds links half open until its
 * input ends. Any user can run the program: nothing but the JDK is needed.
 *
 * <p>Arguments: file with the greeting, count of datagrams for each port, folder that no stranger may enter, UDP ports,
 * TCP ports.
 */
final class Stranger {
    private static final int FRAME_TYPES = 8;
    private static final int FRAME_HEADER_BYTES = 32;
    private static final int DATAGRAM_BYTES_MAX = 1_400;
    private static final int HALF_OPEN = 300;
    private static final int REPLAYS = 20;

    private final Random random = new Random(7);
    private final List<Socket> held = new ArrayList<>();

    private Stranger() {}

    /** Attacks. Prints "entered" if the folder can be read, and "held" when all links are held. */
    public static void main(String[] arguments) throws IOException {
        if (Files.isReadable(Path.of(arguments[2]))) {
            System.out.println("entered");
        }
        Stranger stranger = new Stranger();
        stranger.sendDatagrams(ports(arguments[3]), Integer.parseInt(arguments[1]));
        byte[] greeting = Files.readAllBytes(Path.of(arguments[0]));
        for (int port : ports(arguments[4])) {
            stranger.attack(port, greeting);
        }
        System.out.println("held");
        while (System.in.read() >= 0) {
            continue;
        }
        for (Socket each : stranger.held) {
            each.close();
        }
    }

    private static int[] ports(String list) {
        return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    private void sendDatagrams(int[] ports, int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < count; i++) {
                byte[] bytes = new byte[random.nextInt(DATAGRAM_BYTES_MAX)];
                random.nextBytes(bytes);
                if (i % 2 == 0) {
                    frame(bytes);
                }
                for (int port : ports) {
                    socket.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress("127.0.0.1", port)));
                }
            }
        }
    }

    /** Makes bytes a frame of Aeron with random fields. */
    private void frame(byte[] bytes) {
        if (bytes.length >= FRAME_HEADER_BYTES) {
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0, bytes.length).put(4, (byte) 0)
                .putShort(6, (short) random.nextInt(FRAME_TYPES)).putInt(16, random.nextInt(200));
        }
    }

    private void attack(int port, byte[] greeting) throws IOException {
        byte[] garbage = new byte[64];
        for (int i = 0; i < REPLAYS; i++) {
            random.nextBytes(garbage);
            say(port, garbage, false);
            say(port, greeting, false);
        }
        for (int i = 0; i < HALF_OPEN; i++) {
            say(port, Arrays.copyOf(greeting, i % (greeting.length + 1)), true);
        }
    }

    private void say(int port, byte[] bytes, boolean isHeld) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 5_000);
            socket.getOutputStream().write(bytes);
        } catch (IOException _) {
            socket.close();                                     // the node has no room for one more stranger
        }
        if (isHeld) {
            held.add(socket);
        } else {
            socket.close();
        }
    }
}
