package io.teff.test.cluster.nodes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A program of this machine without the secret of a cluster. The program sends garbage, a recorded
 * greeting and begins of greetings to TCP ports, and holds links half open until its input ends. Any user can run the
 * program: nothing but the JDK is needed.
 *
 * <p>Arguments: file with the greeting, folder that no stranger may enter, TCP ports.
 */
final class Stranger {
    private static final int HALF_OPEN = 300;
    private static final int REPLAYS = 20;

    private final Random random = new Random(7);
    private final List<Socket> held = new ArrayList<>();

    private Stranger() {}

    /** Attacks. Prints "entered" if the folder can be read, and "held" when all links are held. */
    public static void main(String[] arguments) throws IOException {
        if (Files.isReadable(Path.of(arguments[1]))) {
            System.out.println("entered");
        }
        Stranger stranger = new Stranger();
        byte[] greeting = Files.readAllBytes(Path.of(arguments[0]));
        for (int port : ports(arguments[2])) {
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
