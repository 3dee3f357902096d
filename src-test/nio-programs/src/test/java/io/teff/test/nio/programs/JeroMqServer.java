package io.teff.test.nio.programs;

import java.nio.charset.StandardCharsets;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A server of JeroMQ: answers requests, and counts pushed messages by their sum. */
final class JeroMqServer {
    private JeroMqServer() {}

    public static void main(String[] arguments) throws Exception {
        final Thread serving;
        try (ZContext context = new ZContext()) {
            final ZMQ.Socket answers = context.createSocket(SocketType.REP);
            answers.bind("tcp://127.0.0.1:*");
            final ZMQ.Socket pulls = context.createSocket(SocketType.PULL);
            pulls.bind("tcp://127.0.0.1:*");
            final ZMQ.Socket stop = context.createSocket(SocketType.PAIR);
            stop.bind("inproc://stop");
            serving = Thread.ofPlatform().start(() -> serve(context, answers, pulls, stop));
            Told.line(Told.READY, port(answers));
            Told.line("PULL", port(pulls));
            Told.awaitStop();
            final ZMQ.Socket stopping = context.createSocket(SocketType.PAIR);
            stopping.connect("inproc://stop");
            stopping.send(new byte[1]);
            serving.join();
        }
        Told.counts();
    }

    private static String port(ZMQ.Socket socket) {
        final String endpoint = socket.getLastEndpoint();
        return endpoint.substring(endpoint.lastIndexOf(':') + 1);
    }

    private static void serve(ZContext context, ZMQ.Socket answers, ZMQ.Socket pulls, ZMQ.Socket stop) {
        final ZMQ.Poller poller = context.createPoller(3);
        poller.register(answers, ZMQ.Poller.POLLIN);
        poller.register(pulls, ZMQ.Poller.POLLIN);
        poller.register(stop, ZMQ.Poller.POLLIN);
        long count = 0;
        long bytes = 0;
        while (true) {
            poller.poll(-1);
            if (poller.pollin(1)) {
                bytes += pulls.recv().length;
                count++;
            }
            if (poller.pollin(0)) {
                final byte[] request = answers.recv();
                answers.send(new String(request, StandardCharsets.US_ASCII).equals("pulled")
                    ? (count + " " + bytes).getBytes(StandardCharsets.US_ASCII) : request);
            }
            if (poller.pollin(2)) {
                return;
            }
        }
    }
}
