package io.teff.bridge.jcache;

import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * What a processor has returned for one of many keys, or thrown.
 *
 * @param <T> type of the result
 * @param result null if it has thrown
 * @param thrown null if it has not
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
