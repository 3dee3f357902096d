package io.teff.graph.data;

import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.LabelledEdges;
import io.teff.graph.names.VertexNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * The synsets of WordNet, their words, and their typed relations.
 *
 * <p>A synset is a vertex {@code dog#n02084071}: its first word, its part of speech, and its offset in the file. A word
 * is a vertex, too; label {@code sense} leads from a word to its synsets, and {@code word} back. Relations between
 * single words of synsets are relations of the synsets. So a shortest path between two words goes through their
 * senses.
 */
public final class WordNet {
    /** Label from a word to a synset. */
    public static final String SENSE = "sense";
    /** Label from a synset to a word. */
    public static final String WORD = "word";

    private static final List<String> FILES = List.of("data.noun", "data.verb", "data.adj", "data.adv");
    private static final String PARTS_OF_SPEECH = "nvar";
    private static final int HEX = 16;
    private static final int FIRST_WORD = 4;
    private static final int POINTER_FIELDS = 4;
    private static final Map<String, String> RELATIONS = Map.ofEntries(
        Map.entry("!", "antonym"), Map.entry("@", "hypernym"), Map.entry("@i", "instance-hypernym"),
        Map.entry("~", "hyponym"), Map.entry("~i", "instance-hyponym"), Map.entry("#m", "member-holonym"),
        Map.entry("#s", "substance-holonym"), Map.entry("#p", "part-holonym"), Map.entry("%m", "member-meronym"),
        Map.entry("%s", "substance-meronym"), Map.entry("%p", "part-meronym"), Map.entry("=", "attribute"),
        Map.entry("+", "derivation"), Map.entry(";c", "topic"), Map.entry("-c", "topic-member"),
        Map.entry(";r", "region"), Map.entry("-r", "region-member"), Map.entry(";u", "usage"),
        Map.entry("-u", "usage-member"), Map.entry("*", "entailment"), Map.entry(">", "cause"),
        Map.entry("^", "also"), Map.entry("$", "verb-group"), Map.entry("&", "similar"),
        Map.entry("<", "participle"), Map.entry("\\", "pertainym"));

    private final VertexNames names;
    private final EdgeLabels labels;
    private final LabelledEdges.Builder edges = new LabelledEdges.Builder(true);
    private final java.util.HashMap<String, Integer> synsets = new java.util.HashMap<>();
    private Path file;
    private long line;

    private WordNet(VertexNames names, EdgeLabels labels, Path file) {
        this.names = names;
        this.labels = labels;
        this.file = file;
    }

    /** Takes a line of a synset. */
    private interface LineReader {
        void read(String key, String[] fields) throws IOException;
    }

    /**
     * Reads the files {@code data.noun}, {@code data.verb}, {@code data.adj} and {@code data.adv} of a folder.
     *
     * @param folder such as {@link WordNetFiles#fetch} returns
     * @param names empty before; gets all synsets first
     * @param labels empty before
     * @param progress gets the number of lines that were read; each line is read twice
     * @return the synsets, words and relations, with names and labels
     * @throws IOException if a file cannot be read, or is malformed: the message has the line
     */
    public static GraphInput read(Path folder, VertexNames names, EdgeLabels labels, LongConsumer progress)
        throws IOException {
        WordNet reader = new WordNet(names, labels, folder);
        RELATIONS.values().stream().sorted().forEach(labels::add);
        labels.add(SENSE);
        labels.add(WORD);
        reader.forEachSynset(folder, progress, 0, reader::addSynset);
        reader.forEachSynset(folder, progress, reader.synsets.size(), reader::addEdges);
        return new GraphInput(reader.edges.build(names.count()), names, labels);
    }

    private void forEachSynset(Path folder, LongConsumer progress, long before, LineReader reader) throws IOException {
        long done = before;
        for (int i = 0; i < FILES.size(); i++) {
            file = folder.resolve(FILES.get(i));
            line = 0;
            try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                    line++;
                    if (!text.startsWith(" ")) {                // the licence has blanks in front
                        String[] fields = text.split(" ");
                        reader.read(PARTS_OF_SPEECH.charAt(i) + fields[0], fields);
                        progress.accept(++done);
                    }
                }
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new IOException(file + ":" + line + ": expected offset, file, type, words and relations of a "
                    + "synset, found another line", e);
            }
        }
    }

    private void addSynset(String key, String[] fields) throws IOException {
        int number = names.count();
        if (synsets.putIfAbsent(key, number) != null || names.add(word(fields[FIRST_WORD]) + "#" + key) != number) {
            throw new IOException(file + ":" + line + ": expected another offset in each line, found " + fields[0]);
        }
    }

    private void addEdges(String key, String[] fields) throws IOException {
        int synset = synsetOf(key);
        int words = Integer.parseInt(fields[FIRST_WORD - 1], HEX);
        for (int i = 0; i < words; i++) {
            int vertex = names.add(word(fields[FIRST_WORD + 2 * i]));
            edges.add(vertex, labels.add(SENSE), synset);
            edges.add(synset, labels.add(WORD), vertex);
        }
        int at = FIRST_WORD + 2 * words;
        int pointers = Integer.parseInt(fields[at++]);
        for (int i = 0; i < pointers; i++, at += POINTER_FIELDS) {
            String label = RELATIONS.get(fields[at]);
            if (label == null) {
                throw new IOException(file + ":" + line + ": expected a symbol of a relation, found " + fields[at]);
            }
            edges.add(synset, labels.add(label), synsetOf(fields[at + 2].replace('s', 'a') + fields[at + 1]));
        }
    }

    /** A word without the place of an adjective: (a), (p) or (ip). */
    private static String word(String field) {
        int end = field.indexOf('(');
        return end < 0 ? field : field.substring(0, end);
    }

    private int synsetOf(String key) throws IOException {
        Integer synset = synsets.get(key);
        if (synset == null) {
            throw new IOException(file + ":" + line + ": expected the offset of a synset, found " + key);
        }
        return synset;
    }
}
