/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.openjdk;

import static java.nio.file.StandardOpenOption.READ;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/** Stands for {@link java.io.FileInputStream}. */
public final class FileInputStream extends FilterInputStream {
    private final FileChannel channel;

    public FileInputStream(File file) throws FileNotFoundException {
        this(Segments.open(file, READ));
    }

    public FileInputStream(String file) throws FileNotFoundException {
        this(new File(file));
    }

    private FileInputStream(FileChannel channel) {
        super(Channels.newInputStream(channel));
        this.channel = channel;
    }

    public FileChannel getChannel() {
        return channel;
    }
}
