package io.teff.cluster.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.archive.ArchiveMessages;
import io.teff.cluster.job.JobMessages;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.operation.OperationMessages;
import io.teff.cluster.operation.WaitMessages;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Schema;
import io.teff.test.kit.Project;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: nodes of two builds understand each other in a roll, or refuse each other. Messages between nodes have no
 * description: another field, or another constant, changes their bytes.
 *
 * <p>Method: the file {@code forms-v2.txt} has the form of each type of messages. A change of a form needs another
 * version of the protocol ({@code Versions} of module cluster.net), so that builds before the change are refused with
 * both versions. Then {@code -Dteff.forms=write} writes the file anew. A new type needs a new line, and no version:
 * earlier builds answer that they have no handler.
 */
final class MessageFormsTest {
    private static final Path FILE = Project.file(
        "src-test/unit/cluster/core/io/teff/cluster/message/golden/forms-v2.txt");
    private static final List<Class<?>> HOLDERS = List.of(CellMessages.class, JobMessages.class,
        OperationMessages.class, WaitMessages.class, ArchiveMessages.class);
    private static final int DIGITS = 16;

    private static Map<String, String> forms() throws Exception {
        Map<String, String> forms = new TreeMap<>();
        for (Class<?> holder : HOLDERS) {
            for (Field field : holder.getDeclaredFields()) {
                field.setAccessible(true);
                String name = holder.getSimpleName() + "." + field.getName();
                if (field.getType() == RequestType.class) {
                    RequestType<?, ?> type = (RequestType<?, ?>) field.get(null);
                    forms.put(name, form(type.request()) + " answer " + form(type.answer()));
                } else if (field.getType() == MessageType.class) {
                    forms.put(name, form((MessageType<?>) field.get(null)));
                }
            }
        }
        return forms;
    }

    private static String form(MessageType<?> type) throws Exception {
        Codec<?> codec = type.codec();
        String text = codec instanceof Schema<?> schema ? schema.description() : codec.getClass().getName();
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return type.id() + " " + HexFormat.of().formatHex(digest).substring(0, DIGITS);
    }

    private static String text(Map<String, String> forms) {
        StringBuilder text = new StringBuilder();
        forms.forEach((name, form) -> text.append(name).append(' ').append(form).append('\n'));
        return text.toString();
    }

    @Test
    void formOfEachMessage_isThatOfTheVersion() throws Exception {
        Map<String, String> forms = forms();
        assertTrue(forms.size() > 20, forms::toString);
        if (System.getProperty("teff.forms", "").equals("write")) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, text(forms));
        }
        assertEquals(Files.readString(FILE), text(forms),
            "messages have another form than in version 2 of the protocol, "
            + "so nodes of earlier builds would misread them in a roll. Raise the version, then -Dteff.forms=write");
    }
}
