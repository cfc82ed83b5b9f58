/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Two disks' files and links in memory, without directories. Thread safe: each operation is one step, and something can
 * be done before it.
 */
final class MemoryFiles extends FileOps {
    /** What a name stands for: bytes, or another name. */
    private final Map<Path, MemoryFile> files = new HashMap<>();

    private final Map<Path, Path> links = new HashMap<>();
    private volatile Runnable beforeStep = () -> {};

    /** What is done from now on before each operation, in the thread that asks for it. */
    void beforeStep(Runnable action) {
        beforeStep = action;
    }

    private void step() {
        beforeStep.run();
    }

    /** Makes a file with what another one holds now. */
    void copy(Path from, Path to) throws IOException {
        step();
        synchronized (this) {
            files.put(to, new MemoryFile(file(from).bytes()));
        }
        step();
    }

    synchronized boolean exists(Path path) {
        return files.containsKey(path) || links.containsKey(path);
    }

    synchronized boolean isLink(Path path) {
        return links.containsKey(path);
    }

    /** How long the file at that name is, through a link if it is one; -1 when there is none. */
    synchronized long sizeOf(Path path) {
        MemoryFile file = files.get(links.getOrDefault(path, path));
        return file == null ? -1 : file.size();
    }

    private MemoryFile file(Path path) throws IOException {
        MemoryFile file = files.get(path);
        if (file == null) {
            throw new NoSuchFileException(path.toString());
        }
        return file;
    }

    /** A new file is made when there is none. */
    @Override
    public FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException {
        step();
        return openNow(path, options);
    }

    private synchronized FileChannel openNow(Path path, Set<? extends OpenOption> options) throws IOException {
        if (isLink(path) && options.contains(LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("a link: " + path);
        }
        return new MemoryChannel(files.computeIfAbsent(path, name -> new MemoryFile(new byte[0])), this::step);
    }

    @Override
    public void link(Path link, Path target) {
        step();
        synchronized (this) {
            links.put(link, target);
        }
    }

    @Override
    public synchronized Path readLink(Path link) throws IOException {
        Path target = links.get(link);
        if (target == null) {
            throw new NoSuchFileException(link.toString());
        }
        return target;
    }

    @Override
    public void rename(Path from, Path to) {
        step();
        renameNow(from, to);
    }

    private synchronized void renameNow(Path from, Path to) {
        MemoryFile file = files.remove(from);
        Path target = links.remove(from);
        files.remove(to);
        links.remove(to);
        if (file != null) {
            files.put(to, file);
        }
        if (target != null) {
            links.put(to, target);
        }
    }

    @Override
    public boolean deleteIfExists(Path path) {
        step();
        return deleteNow(path);
    }

    private synchronized boolean deleteNow(Path path) {
        boolean existed = exists(path);
        files.remove(path);
        links.remove(path);
        return existed;
    }

    @Override
    public void fsyncDirectory(Path dir) {
        step();
    }

    @Override
    public FileChannel openDirectory(Path dir) {
        step();
        return new MemoryChannel(new MemoryFile(new byte[0]), this::step);
    }

    @Override
    public void force(FileChannel channel) {
        step();
    }

    @Override
    public long usableBytes(Path dir) {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isResident(FileChannel channel, long position, long most) {
        return false; // so that the cold reader reads
    }
}
