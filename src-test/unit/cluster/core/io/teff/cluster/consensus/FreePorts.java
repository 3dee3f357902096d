package io.teff.cluster.consensus;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Members whose ports are free. */
public final class FreePorts {
    private static final int ATTEMPTS = 1_000;

    private FreePorts() {}

    /** Returns members with distinct blocks of consecutive ports, which were all free at one moment. */
    public static List<MemberConfig.Member> members(int count) throws IOException {
        List<MemberConfig.Member> members = new ArrayList<>();
        List<DatagramSocket> held = new ArrayList<>();
        try {
            for (int attempt = 0; attempt < ATTEMPTS && members.size() < count; attempt++) {
                int port = 20_000 + ThreadLocalRandom.current().nextInt(2_000) * MemberConfig.PORTS;
                if (hold(port, held)) {
                    members.add(new MemberConfig.Member("127.0.0.1", port));
                }
            }
        } finally {
            held.forEach(DatagramSocket::close);
        }
        if (members.size() < count) {
            throw new IOException("no blocks of free ports");
        }
        return members;
    }

    private static boolean hold(int first, List<DatagramSocket> held) {
        for (int port = first; port < first + MemberConfig.PORTS; port++) {
            try {
                held.add(new DatagramSocket(new InetSocketAddress("127.0.0.1", port)));
            } catch (IOException _) {
                return false;
            }
        }
        return true;
    }
}
