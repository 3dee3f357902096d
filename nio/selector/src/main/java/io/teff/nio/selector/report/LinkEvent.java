package io.teff.nio.selector.report;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event of Flight Recorder for the begin of a connection, and for the fall back of a connection to TCP. */
@Name("io.teff.nio.Link")
@Label("Link")
@Description("The way of a connection of the selector provider, and the reason")
@Category({"Teff", "NIO"})
@StackTrace(false)
final class LinkEvent extends Event {
    @Label("Way")
    final String way;

    @Label("Reason")
    final String reason;

    @Label("Local Address")
    final String localAddress;

    @Label("Remote Address")
    final String remoteAddress;

    LinkEvent(LinkReason reason, String localAddress, String remoteAddress) {
        way = reason == LinkReason.UCX ? "ucx" : "tcp";
        this.reason = reason.text();
        this.localAddress = localAddress;
        this.remoteAddress = remoteAddress;
    }
}
