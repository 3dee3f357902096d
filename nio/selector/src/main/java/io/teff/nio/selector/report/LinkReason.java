package io.teff.nio.selector.report;

/** The way of a connection, and the reason for the way. */
public enum LinkReason {
    /** The bytes go by UCX: both programs have the provider. */
    UCX("both programs have the provider"),
    /** TCP: the settings of the provider say so. */
    RULE("the settings say TCP"),
    /** TCP: the peer is on another machine, and the settings have no side port for the address. */
    NOT_LOCAL("the peer is on another machine, and no side port is set for the address"),
    /** TCP: no program answers at the side ports of the other machine. */
    NO_SIDE_PORT("no program answers at the side ports of the other machine"),
    /** TCP: the program at the side port of the other machine has another secret. */
    OTHER_SECRET("the program at the side port of the other machine has another secret"),
    /** TCP: addresses are translated between the two machines. */
    TRANSLATED("addresses are translated between the two machines"),
    /** TCP: the program with the provider is found, and UCX does not reach the program. */
    NO_PATH("UCX does not reach the program with the provider"),
    /** TCP: no program with the provider listens at the address. */
    NO_LISTENER("no program with the provider listens at the address"),
    /** TCP: the program with the provider at the address cannot be reached beside the connection. */
    UNREACHABLE("the program with the provider cannot be reached beside the connection"),
    /** TCP: UCX is missing or refuses to work. */
    NO_UCX("UCX is missing, or does not work"),
    /** TCP: the listener has declined. */
    DECLINED("the listener has declined"),
    /** TCP: the program of the accepted connection has announced nothing, so the program has no provider. */
    PLAIN_CLIENT("the client has announced nothing"),
    /** TCP after a begin by UCX: the peer is another program, has accepted late, or carries on by TCP. */
    FELL_BACK("the peer is another program, has accepted late, or carries on by TCP");

    private final String text;

    LinkReason(String text) {
        this.text = text;
    }

    /** {@return half a sentence for messages} */
    public String text() {
        return text;
    }
}
