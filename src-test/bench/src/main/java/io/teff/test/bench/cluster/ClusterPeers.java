package io.teff.test.bench.cluster;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Reply;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.RawRequestType;
import io.teff.cluster.operation.OperationService;
import io.teff.cluster.operation.ZoneHost;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Peers of this process that keep zones in stores without backups, and a superpeer that tells who owns them: what a
 * client costs beyond messages. So all levels are {@code OWNER} here.
 */
final class ClusterPeers implements AutoCloseable {
    /** Requests whose answer is the request itself. */
    static final RawRequestType PING = RawRequestType.of(1000, 1 << 16, 1 << 16);
    private static final int PEERS = 2;
    private static final int ZONES_PER_PEER = 4;
    private static final int FIRST_NID = 16;
    private static final String ANY_PORT = "tcp:127.0.0.1:0";
    private static final long MEMORY_BYTES = 128L << 20;

    private final MetadataMachine machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
    private final List<Network> networks = new ArrayList<>();
    private final List<ChunkStore> stores = new ArrayList<>();
    private final Map<Integer, String> addresses = new HashMap<>();

    ClusterPeers(ClusterKind kind) throws IOException {
        Network superpeer = Network.open(config(CellMessages.nid(0), kind), it -> it.answer(CellMessages.TABLE,
            (_, asked) -> read(all -> new TableAnswer(all.version(), all.nodesSince(asked.since()),
                all.zonesSince(asked.since())))));
        networks.add(superpeer);
        for (int i = 0; i < PEERS; i++) {
            open(FIRST_NID + i, kind);
        }
    }

    private static NetworkConfig config(int nid, ClusterKind kind) {
        return NetworkConfig.builder(nid).listen(ANY_PORT).spinNs(kind.spinNs()).build();
    }

    private synchronized <T> T read(Function<MetadataMachine, T> reader) {
        return reader.apply(machine);
    }

    private void open(int nid, ClusterKind kind) throws IOException {
        Host host = new Host();
        OperationService service = new OperationService(host);
        Network network = Network.open(config(nid, kind), it -> {
            service.register(it);
            it.raw().answer(PING, HandledBy.AGENT, (_, memory, offset, length, answer) ->
                answer.complete(memory, offset, length));
        });
        networks.add(network);
        addresses.put(nid, network.addresses().getFirst());
        NodeRef node = ((Reply.Joined) read(all -> all.apply(
            new Command.Join(new UUID(1, nid), nid, network.addresses().getFirst(), Roles.PEER)))).node();
        int first = ((Reply.Zones) read(all -> all.apply(new Command.NewZones(node, 1, ZONES_PER_PEER)))).first();
        for (int zone = first; zone < first + ZONES_PER_PEER; zone++) {
            Store store = Store.open(StoreConfig.builder().name("zone-" + zone).nid(zone)
                .memoryLimitBytes(MEMORY_BYTES).build());
            stores.add(store);
            host.zones.put(zone, store);
        }
    }

    /** Zones of one peer. */
    private static final class Host implements ZoneHost {
        private final Map<Integer, ChunkStore> zones = new HashMap<>();

        @Override
        public ChunkStore serving(int zone) {
            return zones.get(zone);
        }

        @Override
        public ZoneRow row(int zone) {
            return null;
        }

        @Override
        public void afterRead(int zone, long cid, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }

        @Override
        public void afterChange(int zone, WriteLevel level, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }
    }

    /** Returns the address of the superpeer. */
    String superpeer() {
        return networks.getFirst().addresses().getFirst();
    }

    /** Returns a node that can send {@link #PING} to the peers. */
    Network open(ClusterKind kind) throws IOException {
        return Network.open(NetworkConfig.builder(2).addresses(addresses::get).spinNs(kind.spinNs()).build());
    }

    /** Returns the NID of a peer. */
    static int peer(int index) {
        return FIRST_NID + index % PEERS;
    }

    @Override
    public void close() {
        networks.forEach(Network::close);
        stores.forEach(ChunkStore::close);
    }
}
