package io.teff.tools.graph;

import java.util.List;
import picocli.CommandLine.Option;

/** The option for labels of arcs. Commands that follow arcs mix this class in. */
public final class LabelOption {
    @Option(names = "--labels", paramLabel = "LABEL", split = ",",
        description = "Follow arcs with one of these labels only (default: all arcs).")
    private List<String> labels = List.of();

    /** Makes the option. */
    public LabelOption() {}

    List<String> chosen() {
        return labels;
    }
}
