package io.teff.tools.graph;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a picture. Commands with a picture mix this class in. */
public final class SvgOption {
    @Option(names = "--svg", paramLabel = "FILE", description = "Draw a picture of the answer into this SVG file.")
    private @Nullable Path file;

    /** Makes the option. */
    public SvgOption() {}

    /** Writes the picture if the option is there. */
    void write(Supplier<String> picture) throws IOException {
        if (file != null) {
            try {
                Files.writeString(file, picture.get());
            } catch (IOException e) {
                throw new IOException("the picture " + file + " was not written: " + e, e);
            }
        }
    }
}
