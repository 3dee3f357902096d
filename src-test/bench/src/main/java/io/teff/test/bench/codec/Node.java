package io.teff.test.bench.codec;

import io.teff.engine.codec.Creator;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An object with others inside. */
public final class Node implements Serializable {
    private static final long serialVersionUID = 1;

    private int number;
    private long weight;
    private String name = "";
    private ArrayList<Node> children = new ArrayList<>();

    /** For libraries that fill in fields. */
    public Node() {}

    /**
     * Makes one.
     *
     * @param number of it in the graph
     * @param weight small
     * @param name short
     * @param children those inside
     */
    @Creator({"number", "weight", "name", "children"})
    public Node(int number, long weight, String name, ArrayList<Node> children) {
        this.number = number;
        this.weight = weight;
        this.name = name;
        this.children = children;
    }

    int number() {
        return number;
    }

    long weight() {
        return weight;
    }

    String name() {
        return name;
    }

    List<Node> children() {
        return children;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Node that && number == that.number && weight == that.weight && name.equals(that.name)
            && children.equals(that.children);
    }

    @Override
    public int hashCode() {
        return Objects.hash(number, weight, name);
    }
}
