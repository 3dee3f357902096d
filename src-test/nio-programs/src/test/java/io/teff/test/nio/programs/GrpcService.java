package io.teff.test.nio.programs;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The methods of a service whose messages are bytes. */
final class GrpcService {
    static final String NAME = "teff.Echo";
    static final MethodDescriptor<byte[], byte[]> UNARY = method("Unary", MethodType.UNARY);
    static final MethodDescriptor<byte[], byte[]> STREAM = method("Stream", MethodType.BIDI_STREAMING);

    private GrpcService() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder().setType(type)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
            .setRequestMarshaller(new Bytes()).setResponseMarshaller(new Bytes()).build();
    }

    /** Bytes as they are. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
