package io.teff.test.bench.codec;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.teff.test.bench.codec.proto.BatchMessage;
import io.teff.test.bench.codec.proto.FlatMessage;
import io.teff.test.bench.codec.proto.FlatRecordMessage;
import io.teff.test.bench.codec.proto.NodeMessage;
import io.teff.test.bench.codec.proto.PersonMessage;

/** The values as protobuf's own objects. */
final class Messages {
    private Messages() {}

    static MessageLite of(Object value) {
        return switch (value) {
            case Flat flat -> FlatMessage.newBuilder().setId(flat.id()).setKind(flat.kind()).setPrice(flat.price())
                .setTime(flat.time()).setCheck(flat.check()).build();
            case Person person -> PersonMessage.newBuilder().setFirst(person.first()).setLast(person.last())
                .setMail(person.mail()).setCity(person.city()).setBorn(person.born()).build();
            case Node node -> node(node);
            case Shelf shelf -> {
                BatchMessage.Builder batch = BatchMessage.newBuilder();
                for (Item item : shelf.items()) {
                    batch.addRecords(FlatRecordMessage.newBuilder().setId(item.id()).setKind(item.kind())
                        .setValue(item.value()));
                }
                yield batch.build();
            }
            default -> throw new IllegalArgumentException(value.getClass().getName());
        };
    }

    private static NodeMessage node(Node node) {
        NodeMessage.Builder message = NodeMessage.newBuilder().setNumber(node.number()).setWeight(node.weight())
            .setName(node.name());
        node.children().forEach(child -> message.addChildren(node(child)));
        return message.build();
    }

    static Parser<? extends MessageLite> parser(ShapeKind shape) {
        return switch (shape) {
            case FLAT -> FlatMessage.parser();
            case PERSON -> PersonMessage.parser();
            case GRAPH -> NodeMessage.parser();
            case LIST -> BatchMessage.parser();
        };
    }
}
