/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.VolatileNode.Data;
import io.evenkeel.tiered.VolatileNode.Directory;
import io.evenkeel.tiered.VolatileNode.Link;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real files, and for each of them the state that a power cut would leave: the fsynced part, and any part of the rest.
 * Not thread safe.
 *
 * <p>It guarantees as little as POSIX does: a name is durable after an fsync of its directory, bytes after an fsync of
 * their file. Any change that was not fsynced may have reached the device or not, in any order; only the changes of one
 * name keep their order. An fsync that fails makes nothing durable, and no later one does, because the page cache takes
 * the bytes for written. Real file systems guarantee more, each in its own way.
 *
 * <p>Each fsync of the tier has a name: the caller and the file. One of them can be left out. Kafka's own always run.
 */
final class VolatileDisks extends FileOps implements AutoCloseable {
    /** Told of each operation before it; what it throws happens instead. */
    interface Observer {
        void before(String operation) throws IOException;
    }

    private final Path root;
    private final @Nullable String leftOut;
    private final Observer observer;
    private final Map<String, VolatileNode> devices = new TreeMap<>();
    private final List<Data> opened = new ArrayList<>();
    private final Set<String> fsyncs = new TreeSet<>();
    private boolean full;
    private boolean failingReads;
    private boolean failedFsync;

    /**
     * @param root holds empty directories, which are devices: {@code hdd0}, {@code ssd0}
     * @param leftOut the name of the fsync that does nothing, or null
     * @param observer may fail an operation, such as an fsync
     */
    VolatileDisks(Path root, @Nullable String leftOut, Observer observer) throws IOException {
        this.root = root;
        this.leftOut = leftOut;
        this.observer = observer;
        try (Stream<Path> list = Files.list(root)) {
            list.forEach(device -> devices.put(SegmentFileName.nameOf(device), new Directory()));
        }
    }

    /** The names of the tier's fsyncs so far. */
    Set<String> fsyncs() {
        return fsyncs;
    }

    /** True when an fsync has failed on the device: its bytes may be lost, and no later one brings them back. */
    boolean hasFailedFsync() {
        return failedFsync;
    }

    /** From now on no byte can be written to an SSD, or again. */
    void full(boolean isFull) {
        full = isFull;
    }

    /** From now on no byte can be read from an SSD, or again. */
    void failingReads(boolean failing) {
        failingReads = failing;
    }

    /** Writes to {@code target} what a power cut now leaves. */
    void cut(Path target, Random random) throws IOException {
        for (Map.Entry<String, VolatileNode> device : devices.entrySet()) {
            double survival = random.nextInt(3) / 2.0; // nothing, any part, or all of what was not fsynced
            write(device.getValue(), target.resolve(device.getKey()), survival, random);
        }
    }

    private static void write(VolatileNode node, Path path, double survival, Random random) throws IOException {
        if (node instanceof Directory directory) {
            Files.createDirectories(path);
            for (Map.Entry<String, VolatileNode> child :
                    directory.afterCut(survival, random).entrySet()) {
                write(child.getValue(), path.resolve(child.getKey()), survival, random);
            }
        } else if (node instanceof Link link) {
            Files.createSymbolicLink(path, link.target());
        } else if (node instanceof Data data) {
            data.writeAfterCut(path, survival, random);
        }
    }

    private void step(String operation, Path path) throws IOException {
        step(operation, path, "");
    }

    private void step(String operation, Path path, String by) throws IOException {
        rememberTimes(root, devices);
        observer.before(operation + " " + root.relativize(path) + by);
    }

    private static void rememberTimes(Path dir, Map<String, VolatileNode> names) {
        names.forEach((name, node) -> {
            Path path = dir.resolve(name);
            if (node instanceof Directory directory) {
                rememberTimes(path, directory.current());
            } else if (node instanceof Data data) {
                try {
                    data.rememberTime(Files.getLastModifiedTime(path));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        });
    }

    @Override
    public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
        if (Files.notExists(file)) {
            step("create", file);
        }
        FileChannel channel = super.open(file, options);
        Path real = file.toRealPath();
        Path path = root.resolve(root.toRealPath().relativize(real));
        Directory directory = directory(path.resolveSibling(""));
        String name = SegmentFileName.nameOf(path);
        VolatileNode node = directory.current().get(name);
        Data data = node instanceof Data known ? known : new Data(path);
        if (node == null) {
            opened.add(data);
            directory.put(name, data);
        }
        return new FaultyChannel(channel, new DeviceOf(path, data));
    }

    /** The device under an open file. */
    private final class DeviceOf implements FaultyChannel.Device {
        private final Path path;
        private final Data data;
        private final boolean onSsd;
        private int knownFailures;

        DeviceOf(Path path, Data data) {
            this.path = path;
            this.data = data;
            this.knownFailures = data.failures();
            this.onSsd = FsyncName.device(root.relativize(path)).equals("ssd");
        }

        @Override
        public void before(String operation) throws IOException {
            if (onSsd && failingReads && operation.equals("read")) {
                throw new IOException("made to fail: " + path);
            }
            if (onSsd && full && operation.equals("write")) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public void force(FileChannel file, boolean metaData) throws IOException {
            if (knownFailures < data.failures()) { // as on Linux, each open file is told
                knownFailures = data.failures();
                throw new IOException("made to fail for another open file: " + path);
            }
            try {
                VolatileDisks.this.force(false, path, data::force, data::failForce);
            } finally {
                knownFailures = data.failures();
            }
        }
    }

    @Override
    public void link(Path link, Path target) throws IOException {
        step("link", link);
        super.link(link, target);
        directory(link.resolveSibling("")).put(SegmentFileName.nameOf(link), new Link(target));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        step("rename", from);
        super.rename(from, to);
        directory(to.resolveSibling("")).rename(SegmentFileName.nameOf(from), SegmentFileName.nameOf(to));
    }

    @Override
    public boolean deleteIfExists(Path file) throws IOException {
        step("delete", file);
        boolean deleted = super.deleteIfExists(file);
        if (deleted) {
            directory(file.resolveSibling("")).remove(SegmentFileName.nameOf(file));
        }
        return deleted;
    }

    @Override
    public void createDirectory(Path dir) throws IOException {
        step("mkdir", dir);
        super.createDirectory(dir);
        directory(dir.resolveSibling("")).put(SegmentFileName.nameOf(dir), new Directory());
    }

    @Override
    public void fsyncDirectory(Path dir) throws IOException {
        try (FileChannel channel = openDirectory(dir)) {
            channel.force(true);
        }
    }

    @Override
    public FileChannel openDirectory(Path dir) throws IOException {
        FileChannel channel = super.openDirectory(dir);
        Directory directory = directory(dir);
        return new FaultyChannel(channel, new FaultyChannel.Device() {
            @Override
            public void before(String operation) {}

            @Override
            public void force(FileChannel file, boolean metaData) throws IOException {
                VolatileDisks.this.force(true, dir, directory::force, directory::failForce);
            }
        });
    }

    private interface Force {
        void run() throws IOException;
    }

    /**
     * @param ofNode what makes the node durable
     * @param failed what becomes of it when the device fails that
     */
    private void force(boolean directory, Path path, Force ofNode, Force failed) throws IOException {
        String name = FsyncName.current(directory, root.relativize(path));
        try {
            step("force", path, name == null ? "" : " by " + name);
        } catch (IOException e) {
            failedFsync = true;
            failed.run();
            throw e;
        }
        if (name != null) {
            fsyncs.add(name);
        }
        if (name == null || !name.equals(leftOut)) {
            ofNode.run();
        }
    }

    private Directory directory(Path path) {
        Map<String, VolatileNode> names = devices;
        Directory found = null;
        for (Path name : root.relativize(path)) {
            found = VolatileNode.directory(names.get(name.toString()));
            if (found == null) {
                break;
            }
            names = found.current();
        }
        if (found == null) {
            throw new IllegalStateException("not made here: " + path);
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        for (Data data : opened) {
            data.close();
        }
    }

    @Override
    public boolean isResident(FileChannel channel, long position, long most) {
        return false; // so that the cold reader reads
    }
}
