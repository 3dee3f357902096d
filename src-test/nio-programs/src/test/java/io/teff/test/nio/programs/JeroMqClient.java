package io.teff.test.nio.programs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A client of JeroMQ: requests in turn, and a stream of pushed messages. */
final class JeroMqClient {
    private static final int SIZE_MAX = 30_000;
    private static final int REQUESTS = 100;
    private static final int PUSHES = 500;
    private static final int WAIT_MS = 60_000;

    private JeroMqClient() {}

    public static void main(String[] arguments) {
        final SplittableRandom random = new SplittableRandom(3);
        final long beginNs = System.nanoTime();
        long count = 0;
        long bytes = 0;
        try (ZContext context = new ZContext()) {
            final ZMQ.Socket requests = context.createSocket(SocketType.REQ);
            requests.setReceiveTimeOut(WAIT_MS);
            requests.connect("tcp://127.0.0.1:" + arguments[0]);
            final ZMQ.Socket pushes = context.createSocket(SocketType.PUSH);
            pushes.setSendTimeOut(WAIT_MS);
            pushes.connect("tcp://127.0.0.1:" + arguments[1]);
            final String[] before = ask(requests, "pulled").split(" ");
            do {
                for (int i = 0; i < REQUESTS; i++) {
                    final byte[] body = new byte[1 + random.nextInt(SIZE_MAX)];
                    random.nextBytes(body);
                    requests.send(body);
                    if (!Arrays.equals(body, requests.recv())) {
                        throw new IllegalStateException("request " + i);
                    }
                }
                for (int i = 0; i < PUSHES; i++) {
                    final byte[] body = new byte[random.nextInt(SIZE_MAX)];
                    if (!pushes.send(body)) {
                        throw new IllegalStateException("a push has no room for a minute");
                    }
                    count++;
                    bytes += body.length;
                }
            } while (!Told.isOver(beginNs, Integer.parseInt(arguments[2])));
            final String wanted = (Long.parseLong(before[0]) + count) + " " + (Long.parseLong(before[1]) + bytes);
            final long askedNs = System.nanoTime();
            String found = "";
            while (!found.equals(wanted) && !Told.isOver(askedNs, WAIT_MS / 1_000)) {
                found = ask(requests, "pulled");
            }
            if (!found.equals(wanted)) {
                throw new IllegalStateException("pushed " + wanted + ", pulled " + found);
            }
        }
        Told.counts();
        Told.line(Told.DONE, count);
    }

    private static String ask(ZMQ.Socket requests, String question) {
        requests.send(question.getBytes(StandardCharsets.US_ASCII));
        return new String(requests.recv(), StandardCharsets.US_ASCII);
    }
}
