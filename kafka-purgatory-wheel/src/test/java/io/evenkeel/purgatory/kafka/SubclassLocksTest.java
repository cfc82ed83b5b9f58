/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class SubclassLocksTest {
    private final SubclassLocks locks = new SubclassLocks(Root.class);

    /** Stands for Kafka's class, which has the lock. */
    private abstract static class Root {
        final ReentrantLock lock = new ReentrantLock();
    }

    private static class Plain extends Root {}

    private static class Asking extends Root {
        boolean isHeld() {
            return lock.isHeldByCurrentThread();
        }
    }

    private static class OfAsking extends Asking {}

    private static class Blocking extends Root {
        @SuppressWarnings("unused") // it counts that the name of the lock is a part of this one
        void block() {}
    }

    private static final class Hidden extends Root {}

    @Test
    void whoDoesNotNameTheLockDoesNotUseIt() {
        assertThat(locks.get(Root.class)).isFalse();
        assertThat(locks.get(Plain.class)).isFalse();
        assertThat(locks.get(Blocking.class)).isFalse();
    }

    @Test
    void whoNamesItOrIsASubclassOfSuchAOneUsesIt() {
        assertThat(new Asking().isHeld()).isFalse();
        assertThat(locks.get(Asking.class)).isTrue();
        assertThat(locks.get(OfAsking.class)).isTrue();
        Root anonymous = new Root() {
            @Override
            public String toString() {
                return lock.toString();
            }
        };
        assertThat(locks.get(anonymous.getClass())).isTrue();
    }

    @Test
    void aClassThatCannotBeReadUsesIt() throws Exception {
        assertThat(locks.get(Hidden.class)).isFalse();
        byte[] bytes = Objects.requireNonNull(
                        SubclassLocksTest.class.getResourceAsStream("SubclassLocksTest$Hidden.class"))
                .readAllBytes();
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, false).lookupClass();
        assertThat(locks.get(hidden)).isTrue();
    }
}
