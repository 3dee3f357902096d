package io.teff.cluster.terminal.deploy;

/** Units of systemd that run a node. */
final class SystemdUnit {
    private SystemdUnit() {}

    /**
     * Returns the unit of a node at a host of a deployment, for the systemd of the user.
     *
     * @param node the node, whose files are below the folder of the deployment
     */
    static String ofUser(NodePlan node) {
        String folder = node.host().folder();
        String place = (folder.startsWith("/") ? folder : "%h/" + folder) + "/nodes/" + node.name();
        return head("Node " + node.name() + " of a Teff cluster") + """
            ExecStart=/bin/sh %s/node.sh --managed
            StandardOutput=append:%s/node.out
            StandardError=append:%s/node.out
            """.formatted(place, place, place) + tail("default.target");
    }

    /**
     * Returns the unit of a node for the systemd of a machine.
     *
     * @param user user and group of the node
     * @param java home of Java
     * @param home folder with the folder {@code lib} of a version
     * @param config configuration file of the node
     * @param data folders that the node may write, apart by blanks
     * @param heap Java heap
     */
    static String ofMachine(String user, String java, String home, String config, String data, String heap) {
        return head("Node of a Teff cluster") + """
            User=%s
            Group=%s
            ExecStart=%s/bin/java -Xmx%s -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Dsun.net.inetaddr.ttl=10 \\
                --enable-native-access=ALL-UNNAMED -cp %s/lib/* io.teff.cluster.terminal.cli.Terminal \\
                node --managed --config %s
            UMask=0077
            NoNewPrivileges=yes
            ProtectSystem=strict
            ProtectHome=yes
            PrivateTmp=yes
            ReadWritePaths=%s
            """.formatted(user, user, java, heap, home, config, data) + tail("multi-user.target");
    }

    private static String head(String description) {
        return """
            [Unit]
            Description=%s
            After=network-online.target
            Wants=network-online.target
            StartLimitIntervalSec=300
            StartLimitBurst=5

            [Service]
            Type=exec
            """.formatted(description);
    }

    /** A node ends in order within 15 s. Exit code 2 is a fault of the configuration, which no start mends. */
    private static String tail(String target) {
        return """
            Restart=on-failure
            RestartSec=5
            RestartPreventExitStatus=2
            SuccessExitStatus=143
            KillMode=mixed
            TimeoutStopSec=30
            LimitNOFILE=65536
            LimitMEMLOCK=infinity

            [Install]
            WantedBy=%s
            """.formatted(target);
    }
}
