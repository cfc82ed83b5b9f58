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
 * A segment's name in its log directory, and what it stands for: a link to the SSD file, or the real file. Thread safe
 * for readers; changes are made under the segment's lock.
 *
 * <p>Each change is a rename, so that a crash leaves the one or the other, and counts as durable only when the
 * directory has been forced by this process.
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

    /** True for a segment that Kafka reads and appends to; false while it only waits to be deleted or swapped in. */
    public boolean isLive() {
        SegmentFileName name = SegmentFileName.parse(path);
        return name != null && name.isLive();
    }

    /** Kafka has renamed the file, or the directory that it is in. */
    public void renamed(Path newPath) {
        path = newPath;
    }

    /** Puts a link in the real file's place, durably; when that fails, all of it is to be done again. */
    public void linkTo(Path ssdFile) throws IOException {
        Path temporary = SegmentFileName.withSuffix(path, SegmentFileName.LINK_SUFFIX);
        files.deleteIfExists(temporary);
        files.link(temporary, ssdFile);
        durable = false;
        files.rename(temporary, path);
        files.syncDirectory(dir());
        link = true;
    }

    /** Puts a real file in the link's place; {@link #makeDurable(FileChannel)} is still to be called. */
    public void replaceLink(Path copy) throws IOException {
        files.rename(copy, path);
        link = false;
        durable = false;
    }

    /**
     * To be called before a copy takes the link's place: who has taken the link away, or put another in its place,
     * behind Kafka's back, must not get these bytes again.
     *
     * @throws IOException when there should be a link to {@code ssdFile}, and is none
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

    /** A handle on the directory, which stays right when Kafka renames the directory meanwhile. */
    public FileChannel openDir() throws IOException {
        return files.openDirectory(dir());
    }

    public void makeDurable(FileChannel openedDir) throws IOException {
        files.force(openedDir);
        durable = true;
    }

    /**
     * Makes sure that a power cut cannot bring back what the name stood for before. Of a file that was found at the
     * start it is not known whether the process before this one came to force the directory.
     */
    public void makeDurable() throws IOException {
        if (!durable) {
            files.syncDirectory(dir());
            durable = true;
        }
    }

    /** Makes the name's removal durable; nothing to do when the whole directory is gone. */
    public void makeRemovalDurable() throws IOException {
        try {
            files.syncDirectory(dir());
        } catch (NoSuchFileException e) {
            // a directory can only be removed when it is empty, so the name went before it
        }
    }

    @Override
    public String toString() {
        return path + (link ? " (link)" : "");
    }
}
