/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import io.kafkapatches.tiered.VolatileNode.Data;
import io.kafkapatches.tiered.VolatileNode.Directory;
import io.kafkapatches.tiered.VolatileNode.Link;
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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real files, and beside them what a power cut would leave of them: what was forced, and any part of the rest. Not thread
 * safe.
 *
 * <p>It promises as little as POSIX does: a name is durable when its directory has been forced, bytes when their file has
 * been. Of what was not forced, anything may have reached the device and anything not, in any order, but that the changes of
 * one name keep theirs. File systems promise more, each something else.
 *
 * <p>Each force of the tier has a name: who forces what. One of them can be left out. Kafka's own are always done.
 */
final class VolatileDisks extends FileLayer implements AutoCloseable {
    private static final String PACKAGE = FileLayer.class.getPackageName() + ".";

    private final Path root;
    private final @Nullable String leftOut;
    private final Consumer<String> beforeEach;
    private final Map<String, VolatileNode> devices = new TreeMap<>();
    private final List<Data> opened = new ArrayList<>();
    private final Set<String> forces = new TreeSet<>();
    private boolean full;
    private boolean failingReads;

    /**
     * @param root holds empty directories, which are devices: {@code hdd0}, {@code ssd0}
     * @param leftOut the name of the force that does nothing, or null
     * @param beforeEach is told of each operation before it
     */
    VolatileDisks(Path root, @Nullable String leftOut, Consumer<String> beforeEach) throws IOException {
        this.root = root;
        this.leftOut = leftOut;
        this.beforeEach = beforeEach;
        try (Stream<Path> list = Files.list(root)) {
            list.forEach(device -> devices.put(LogFileName.nameOf(device), new Directory()));
        }
    }

    /** The names of the tier's forces so far. */
    Set<String> forces() {
        return forces;
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
            double survival = random.nextInt(3) / 2.0; // nothing, any part, or all of what was not forced
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

    private void step(String operation, Path path) {
        rememberTimes(root, devices);
        beforeEach.accept(operation + " " + root.relativize(path));
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
    public FileChannel open(Path file, OpenOption... options) throws IOException {
        if (Files.notExists(file)) {
            step("create", file);
        }
        FileChannel channel = super.open(file, options);
        Path real = file.toRealPath();
        Path path = root.resolve(root.toRealPath().relativize(real));
        Directory directory = directory(path.resolveSibling(""));
        String name = LogFileName.nameOf(path);
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

        DeviceOf(Path path, Data data) {
            this.path = path;
            this.data = data;
            this.onSsd = device(path).equals("ssd");
        }

        private String device(Path file) {
            return root.relativize(file).getName(0).toString().replaceAll("\\d", "");
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
            step("force", path);
            if (isDone("file", path)) {
                data.force();
            }
        }
    }

    @Override
    public void link(Path link, Path target) throws IOException {
        step("link", link);
        super.link(link, target);
        directory(link.resolveSibling("")).put(LogFileName.nameOf(link), new Link(target));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        step("rename", from);
        super.rename(from, to);
        directory(to.resolveSibling("")).rename(LogFileName.nameOf(from), LogFileName.nameOf(to));
    }

    @Override
    public boolean deleteIfExists(Path file) throws IOException {
        step("delete", file);
        boolean deleted = super.deleteIfExists(file);
        if (deleted) {
            directory(file.resolveSibling("")).remove(LogFileName.nameOf(file));
        }
        return deleted;
    }

    @Override
    public void createDirectory(Path dir) throws IOException {
        step("mkdir", dir);
        super.createDirectory(dir);
        directory(dir.resolveSibling("")).put(LogFileName.nameOf(dir), new Directory());
    }

    @Override
    public void syncDirectory(Path dir) throws IOException {
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
            public void force(FileChannel file, boolean metaData) {
                step("force", dir);
                if (isDone("directory", dir)) {
                    directory.force();
                }
            }
        });
    }

    /** False for the force that is left out. */
    private boolean isDone(String what, Path path) {
        String caller = caller();
        if (caller == null) {
            return true;
        }
        Path place = root.relativize(path);
        String device = place.getName(0).toString().replaceAll("\\d", "");
        String depth = what.equals("file") ? "" : "/*".repeat(place.getNameCount() - 1);
        String name = caller + ": " + what + " " + device + depth;
        forces.add(name);
        return !name.equals(leftOut);
    }

    /** The tier's method that forces something, as {@code Class.method}; null when it is Kafka that does. */
    private static @Nullable String caller() {
        return StackWalker.getInstance().walk(frames -> {
            List<String> callers = frames.filter(frame -> frame.getClassName().startsWith(PACKAGE))
                    .map(frame -> frame.getClassName().substring(PACKAGE.length()) + "." + frame.getMethodName())
                    .filter(name -> !name.startsWith("VolatileDisks")
                            && !name.startsWith("FaultyChannel")
                            && !name.equals("FileLayer.force"))
                    .toList();
            boolean kafka = Stream.of("TieredFileChannel.", "FakeBroker.", "RandomLife.")
                    .anyMatch(callers.get(0)::startsWith);
            // of a name, many make sure: who it is for tells them apart
            return kafka
                    ? null
                    : callers.stream()
                            .filter(name -> !name.startsWith("HddName."))
                            .findFirst()
                            .orElseThrow();
        });
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
}
