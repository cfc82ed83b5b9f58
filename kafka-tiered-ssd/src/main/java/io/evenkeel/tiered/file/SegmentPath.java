/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.api.Device;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A segment's name in its log directory, which is a link to the SSD file or the real file. Any thread may read; changes
 * are made under the segment's lock.
 *
 * <p>Each change is a rename, so that a crash leaves either the link or the file. It counts as durable only when this
 * process has fsynced the directory.
 */
public final class SegmentPath {
    private final FileOps files;
    private volatile Path path;
    private volatile boolean link;
    private volatile boolean durable;

    public SegmentPath(FileOps files, Path path, boolean link) {
        this.files = files;
        this.path = path;
        this.link = link;
    }

    public Path path() {
        return path;
    }

    /** The partition's directory. */
    public Path dir() {
        return SegmentFileName.dirOf(path);
    }

    /** True while the name is a link, as far as this process knows. */
    public boolean isLink() {
        return link;
    }

    /** True when a power cut may bring back a link. */
    public boolean mayBeLink() {
        return link || !durable;
    }

    /** True for a segment that Kafka reads and appends to; false when it waits to be deleted or swapped in. */
    public boolean isLive() {
        SegmentFileName name = SegmentFileName.parse(path);
        return name != null && name.isLive();
    }

    /** Kafka has renamed the file, or the directory that it is in. */
    public void renamed(Path newPath) {
        path = newPath;
    }

    /** Puts a link in the real file's place, durably; when that fails, the caller has to repeat all of it. */
    public void linkTo(Path ssdFile) throws IOException {
        Path temporary = SegmentFileName.withSuffix(path, SegmentFileName.LINK_SUFFIX);
        files.deleteIfExists(temporary);
        files.link(temporary, ssdFile);
        durable = false;
        files.rename(temporary, path);
        files.fsyncDirectory(dir());
        link = true;
    }

    /** Puts a real file in the link's place; the caller then calls {@link #makeDurable(FileChannel)}. */
    public void replaceLink(Path copy) throws IOException {
        files.rename(copy, path);
        link = false;
        durable = false;
    }

    /**
     * To be called before a copy takes the link's place: an operator may have removed or replaced the link behind
     * Kafka's back, and must not get these bytes again.
     *
     * @throws IOException when there should be a link to {@code ssdFile}, but there is none
     */
    public void requireLinkTo(Path ssdFile) throws IOException {
        if (link && !FileReads.target(path, files.readLink(path)).equals(ssdFile)) {
            throw new IOException("The link does not lead to " + ssdFile + " any more: " + path);
        }
    }

    /** Opens the real file; fails when the name is a link. */
    public BackingFile open() throws IOException {
        return new BackingFile(Device.HDD, path, files.open(path, READ, WRITE, NOFOLLOW_LINKS));
    }

    /** A handle on the directory, which stays valid when Kafka renames the directory. */
    public FileChannel openDir() throws IOException {
        return files.openDirectory(dir());
    }

    public void makeDurable(FileChannel openedDir) throws IOException {
        files.force(openedDir);
        durable = true;
    }

    /**
     * True when a power cut cannot bring back the previous meaning of the name. For a file that was found at the start,
     * the previous process may not have come to the fsync of the directory.
     */
    public boolean isDurable() {
        return durable;
    }

    /** Makes the name's removal durable; does nothing when the whole directory is gone. */
    public void makeRemovalDurable() throws IOException {
        try {
            files.fsyncDirectory(dir());
        } catch (NoSuchFileException e) {
            // a directory can only be removed when it is empty, so the name went before it
        }
    }

    @Override
    public String toString() {
        return path + (link ? " (link)" : "");
    }
}
