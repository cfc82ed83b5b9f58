/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.openjdk;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/** Stands for {@link java.io.FileOutputStream}. */
public final class FileOutputStream extends FilterOutputStream {
    private final FileChannel channel;

    public FileOutputStream(File file) throws FileNotFoundException {
        this(file, false);
    }

    public FileOutputStream(String file) throws FileNotFoundException {
        this(new File(file));
    }

    public FileOutputStream(File file, boolean append) throws FileNotFoundException {
        this(Segments.open(file, CREATE, WRITE, append ? APPEND : TRUNCATE_EXISTING));
    }

    private FileOutputStream(FileChannel channel) {
        super(Channels.newOutputStream(channel));
        this.channel = channel;
    }

    public FileChannel getChannel() {
        return channel;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }
}
