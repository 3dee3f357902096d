package io.teff.cluster.terminal.deploy;

import java.util.List;

/**
 * A host of a deployment.
 *
 * @param name name of the host, unique in the deployment
 * @param address name or address at which other hosts reach the host
 * @param ssh target of ssh, such as {@code teff@10.0.0.1}
 * @param sshPort port of ssh
 * @param sshOptions options of ssh, word by word
 * @param folder folder of the deployment at the host
 * @param java home of the host's Java; empty if the host is to look for one
 */
record HostPlan(String name, String address, String ssh, int sshPort, List<String> sshOptions, String folder,
                String java) {
    HostPlan {
        sshOptions = List.copyOf(sshOptions);
    }
}
