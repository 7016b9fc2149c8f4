/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.guard;

import com.google.common.util.concurrent.RateLimiter;
import io.github.foresight.core.guard.FailuresByCause;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The switch and the failure guard of each feature. A failure of a feature, except a {@link VirtualMachineError}, is counted and
 * logged at most once in ten seconds. HDFS then answers without the feature. A feature that fails too often by one cause within a
 * minute rests for a while and is tried again. Thread-safe; without failures a call costs two volatile reads.
 */
public final class Features {

    private static final Logger LOG = LoggerFactory.getLogger(Features.class);

    /** Work of Foresight that may fail. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /** Work of Foresight that returns a result, returns null for none, or fails. */
    @FunctionalInterface
    public interface Source<T> {
        @Nullable
        T get() throws Exception;
    }

    private static final class State {
        final FailuresByCause failures;
        volatile boolean enabled;

        State(boolean enabled, int maxFailures) {
            this.enabled = enabled;
            this.failures = new FailuresByCause(maxFailures);
        }
    }

    private final Map<Feature, State> states = new EnumMap<>(Feature.class);
    private final NameNodeMetrics metrics;
    private final LongSupplier clock;
    private final RateLimiter logRate = RateLimiter.create(0.1);

    public Features(NameNodeSettings settings, NameNodeMetrics metrics) {
        this(settings, metrics, System::nanoTime);
    }

    /**
     * Features as they are configured.
     *
     * @param clock any steady one, nanoseconds; asked only when something has failed
     */
    public Features(NameNodeSettings settings, NameNodeMetrics metrics, LongSupplier clock) {
        this.metrics = metrics;
        this.clock = clock;
        for (Feature feature : Feature.values()) {
            states.put(feature, new State(settings.get(feature.key()), settings.get(NameNodeKeys.FAILURES_MAX)));
        }
    }

    @SuppressWarnings("NullAway") // there is a state for each
    private State state(Feature feature) {
        return states.get(feature);
    }

    public boolean isOn(Feature feature) {
        State state = state(feature);
        return state.enabled && !isResting(state);
    }

    private boolean isResting(State state) {
        return state.failures.mayRest() && state.failures.isRestingAt(clock.getAsLong());
    }

    /** Whether it is switched on and rests from its failures. */
    public boolean isResting(Feature feature) {
        State state = state(feature);
        return state.enabled && isResting(state);
    }

    /** How many features rest from their failures. */
    public long resting() {
        return states.keySet().stream().filter(this::isResting).count();
    }

    public void enable(Feature feature) {
        state(feature).failures.reset();
        state(feature).enabled = true;
    }

    public void disable(Feature feature) {
        state(feature).enabled = false;
    }

    /** Runs work of a feature if the feature is on. */
    public void run(Feature feature, Action action) {
        call(feature, Boolean.FALSE, () -> {
            action.run();
            return Boolean.TRUE;
        });
    }

    /** Gets a result of a feature, or {@code otherwise} if the feature is off or fails. */
    public <T> T call(Feature feature, T otherwise, Source<T> source) {
        T got = get(feature, source);
        return got == null ? otherwise : got;
    }

    /** Gets a result of a feature, or null if the feature is off or fails. */
    public <T> @Nullable T get(Feature feature, Source<T> source) {
        if (!isOn(feature)) {
            return null;
        }
        State state = state(feature);
        if (state.failures.mayRest()) {
            state.failures.endRest(clock.getAsLong());
        }
        try {
            return source.get();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            failed(feature, e);
            return null;
        }
    }

    /** Counts and logs a failure of a feature's that was caught elsewhere, as if it had ended the feature's call. */
    public void failed(Feature feature, Throwable e) {
        metrics.internalErrors.incr();
        if (logRate.tryAcquire()) {
            LOG.warn("Foresight failed to {}; HDFS went on without Foresight", feature.label(), e);
        }
        String cause = cause(e);
        long restNanos = state(feature).failures.failed(cause, clock.getAsLong());
        if (restNanos > 0) {
            LOG.error(
                    "Foresight failed to {} too often by {} and leaves it for {} s, or until 'hdfs dfsadmin -refresh <namenode>"
                            + " foresight enable {}'",
                    feature.label(),
                    cause,
                    TimeUnit.NANOSECONDS.toSeconds(restNanos),
                    feature.label(),
                    e);
        }
    }

    /** The class of a failure and the place where it was thrown. The message is left out, because it may differ each time. */
    private static String cause(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        return e.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
