package io.teff.cluster.terminal.deploy;

import java.util.ArrayList;
import java.util.List;

/**
 * Input of rendered manifests.
 *
 * @param name name of the cluster, and beginning of all names
 * @param namespace namespace of all objects
 * @param domain domain of the names of services
 * @param image image of the nodes
 * @param java home of Java in the image
 * @param superpeers number of superpeers
 * @param peers number of peers
 * @param backups backups of each zone
 * @param memoryMb memory for chunks of each peer
 * @param heapMb Java heap of each peer
 * @param storage disk of each node
 * @param storageClass class of the disks; empty for the default of the Kubernetes cluster
 * @param drainS longest drain of a peer before its end
 * @param rackLabel label of a pod with the name of its rack; empty for a rack of its own for each peer
 */
record KubernetesPlan(String name, String namespace, String domain, String image, String java, int superpeers,
                      int peers, int backups, long memoryMb, long heapMb, String storage, String storageClass,
                      int drainS, String rackLabel) {
    /** Beside heap and chunks: code, threads, buffers of the network and of the log. */
    static final long BESIDE_MB = 256;
    static final long SUPERPEER_HEAP_MB = 128;

    /** Returns the name of the service and of the set of a role. */
    String set(String role) {
        return name + "-" + role;
    }

    /** Returns the domain of the pods of a role. */
    String domain(String role) {
        return set(role) + "." + namespace + ".svc." + domain;
    }

    /** Returns the addresses of all superpeers. */
    List<String> addresses() {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < superpeers; i++) {
            addresses.add(set("superpeer") + "-" + i + "." + domain("superpeer") + ":"
                + ContainerImage.SUPERPEER_PORT);
        }
        return addresses;
    }
}
