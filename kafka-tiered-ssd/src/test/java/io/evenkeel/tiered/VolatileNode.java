/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a name on {@link VolatileDisks} stands for, as it is now and as the device has it. Not thread safe. */
sealed interface VolatileNode {
    /** Never changes, so it is as durable as its name. */
    record Link(Path target) implements VolatileNode {}

    /** Names. */
    final class Directory implements VolatileNode {
        private final Map<String, VolatileNode> durable = new TreeMap<>();
        private final Map<String, VolatileNode> current = new TreeMap<>();
        /** The changes of names that are not durable yet; each happens as a whole. */
        private final List<Map<String, Optional<VolatileNode>>> changes = new ArrayList<>();
        /** Changes whose fsync failed, and which were not made again since; they are never written. */
        private final List<Map<String, Optional<VolatileNode>>> failed = new ArrayList<>();

        Map<String, VolatileNode> current() {
            return current;
        }

        void put(String name, VolatileNode node) {
            change(Map.of(name, Optional.of(node)));
        }

        void remove(String name) {
            change(Map.of(name, Optional.empty()));
        }

        void rename(String from, String to) {
            VolatileNode moved = current.get(from);
            if (moved == null) {
                throw new IllegalStateException("not made here: " + from);
            }
            change(Map.of(from, Optional.empty(), to, Optional.of(moved)));
        }

        private void change(Map<String, Optional<VolatileNode>> change) {
            changes.add(change);
            apply(change, current);
        }

        private static void apply(Map<String, Optional<VolatileNode>> change, Map<String, VolatileNode> names) {
            change.forEach((name, node) -> {
                if (node.isPresent()) {
                    names.put(name, node.get());
                } else {
                    names.remove(name);
                }
            });
        }

        void force() {
            for (Map<String, Optional<VolatileNode>> change : changes) {
                apply(change, durable);
                failed.removeIf(old -> !Collections.disjoint(old.keySet(), change.keySet()));
            }
            changes.clear();
        }

        void failForce() {
            failed.addAll(changes);
            changes.clear();
        }

        /** A change survives only if all earlier ones of the same names do. */
        Map<String, VolatileNode> afterCut(double survival, Random random) {
            Map<String, VolatileNode> left = new TreeMap<>(durable);
            Set<String> lost = new HashSet<>();
            List<Map<String, Optional<VolatileNode>>> pending = new ArrayList<>(failed);
            pending.addAll(changes);
            for (Map<String, Optional<VolatileNode>> change : pending) {
                if (change.keySet().stream().noneMatch(lost::contains) && random.nextDouble() < survival) {
                    apply(change, left);
                } else {
                    lost.addAll(change.keySet());
                }
            }
            return left;
        }
    }

    /** Bytes, and the time of the last write. */
    final class Data implements VolatileNode, AutoCloseable {
        private static final int PAGE_BYTES = 4096;

        /** Still open when the file has been deleted: a power cut may bring it back. */
        private final FileChannel file;

        private FileTime time;
        private byte[] durable = new byte[0];
        private FileTime durableTime;
        /** The bytes whose fsync failed; no later one writes them. Null when none has failed. */
        private byte @Nullable [] failed;

        private int failures;

        /** A file that was made just now. */
        Data(Path path) throws IOException {
            this.file = FileChannel.open(path, StandardOpenOption.READ);
            this.time = Files.getLastModifiedTime(path);
            this.durableTime = time;
        }

        /** To be called before the file loses its name, and before its fsync. */
        void rememberTime(FileTime lastModified) {
            time = lastModified;
        }

        void force() throws IOException {
            byte[] old = durable;
            durable = current();
            durableTime = time;
            byte[] unwritten = failed;
            if (unwritten != null) {
                forget(unwritten, old);
            }
        }

        /** Puts the old page, or an empty one, in the place of each that has not been written to since the failure. */
        private void forget(byte[] unwritten, byte[] old) {
            for (int from = 0; from < Math.min(unwritten.length, durable.length); from += PAGE_BYTES) {
                int to = Math.min(from + PAGE_BYTES, Math.min(unwritten.length, durable.length));
                if (Arrays.equals(unwritten, from, to, durable, from, to)) {
                    Arrays.fill(durable, from, to, (byte) 0);
                    System.arraycopy(
                            old,
                            Math.min(from, old.length),
                            durable,
                            from,
                            Math.max(0, Math.min(to, old.length) - from));
                }
            }
        }

        void failForce() throws IOException {
            failed = current();
            failures++;
        }

        int failures() {
            return failures;
        }

        private byte[] current() throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {
                // the next part
            }
            return bytes.array();
        }

        /** Length, time and each page are the old or the new ones, and a page that was never written is zero. */
        void writeAfterCut(Path path, double survival, Random random) throws IOException {
            byte[] current = current();
            byte[] left = Arrays.copyOf(durable, random.nextDouble() < survival ? current.length : durable.length);
            for (int from = 0; from < Math.min(left.length, current.length); from += PAGE_BYTES) {
                if (random.nextDouble() < survival) {
                    int to = Math.min(from + PAGE_BYTES, Math.min(left.length, current.length));
                    System.arraycopy(current, from, left, from, to - from);
                }
            }
            Files.write(path, left);
            Files.setLastModifiedTime(path, random.nextDouble() < survival ? time : durableTime);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** The node as a directory; null when it is none. */
    static @Nullable Directory directory(@Nullable VolatileNode node) {
        return node instanceof Directory directory ? directory : null;
    }
}
