package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.VertexProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The programs of this process: those of this library, and those that the service loader finds. */
final class GraphPrograms {
    private static final List<ProgramFactory> ALL = found();

    private GraphPrograms() {}

    private static List<ProgramFactory> found() {
        List<ProgramFactory> all = new ArrayList<>(List.of(
            new Made(SearchProgram.NAME, SearchProgram::of),
            new Made(ComponentProgram.NAME, _ -> new ComponentProgram()),
            new Made(RankProgram.NAME, RankProgram::of),
            new Made(PathProgram.NAME, PathProgram::of),
            new Made(CoreProgram.NAME, _ -> new CoreProgram()),
            new Made(LabelProgram.NAME, LabelProgram::of)));
        ServiceLoader.load(ProgramFactory.class, ProgramFactory.class.getClassLoader()).forEach(all::add);
        return List.copyOf(all);
    }

    static VertexProgram of(String name, byte[] settings) {
        for (ProgramFactory factory : ALL) {
            if (factory.name().equals(name)) {
                return factory.program(settings);
            }
        }
        throw new IllegalArgumentException("this node has no program " + name + " on its class path");
    }

    /** Makes a program from settings. */
    private interface Maker {
        VertexProgram make(byte[] settings);
    }

    private record Made(String name, Maker maker) implements ProgramFactory {
        @Override
        public VertexProgram program(byte[] settings) {
            return maker.make(settings);
        }
    }
}
