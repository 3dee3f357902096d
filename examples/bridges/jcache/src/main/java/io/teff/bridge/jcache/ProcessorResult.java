package io.teff.bridge.jcache;

import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * The result of a processor for one of many keys, or its exception.
 *
 * @param <T> type of the result
 * @param result the result, or null if the processor threw
 * @param thrown the exception, or null if the processor returned
 */
record ProcessorResult<T>(@Nullable T result, @Nullable RuntimeException thrown) implements EntryProcessorResult<T> {
    @Override
    public @Nullable T get() {
        if (thrown instanceof EntryProcessorException exception) {
            throw exception;
        }
        if (thrown != null) {
            throw new EntryProcessorException(thrown);
        }
        return result;
    }
}
