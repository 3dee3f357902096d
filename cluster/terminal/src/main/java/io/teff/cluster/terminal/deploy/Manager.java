package io.teff.cluster.terminal.deploy;

/** Manager that starts the processes of nodes at a host. */
enum Manager {
    /** The systemd of the user if it answers, else setsid. */
    AUTO("auto"),
    /** The systemd of the user, which starts a failed node again. */
    SYSTEMD("systemd"),
    /** A process group of its own with a file of its number. A failed node stays down. */
    SETSID("setsid");

    private final String text;

    Manager(String text) {
        this.text = text;
    }

    /** Returns the name in files. */
    String text() {
        return text;
    }
}
