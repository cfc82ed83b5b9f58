/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.openjdk;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Stands for {@link java.io.RandomAccessFile}, as far as the tests use it. */
public final class RandomAccessFile implements Closeable {
    private final FileChannel channel;

    public RandomAccessFile(File file, String mode) throws FileNotFoundException {
        channel = mode.equals("r") ? Segments.open(file, READ) : Segments.open(file, CREATE, READ, WRITE);
    }

    public RandomAccessFile(String file, String mode) throws FileNotFoundException {
        this(new File(file), mode);
    }

    public FileChannel getChannel() {
        return channel;
    }

    public int read() throws IOException {
        ByteBuffer found = ByteBuffer.allocate(1);
        return channel.read(found) < 0 ? -1 : Byte.toUnsignedInt(found.get(0));
    }

    public int read(byte[] bytes) throws IOException {
        return channel.read(ByteBuffer.wrap(bytes));
    }

    public void write(int value) throws IOException {
        write(new byte[] {(byte) value});
    }

    public void write(byte[] bytes) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    public long length() throws IOException {
        return channel.size();
    }

    public void setLength(long bytes) throws IOException {
        if (bytes > channel.size()) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        } else {
            channel.truncate(bytes);
        }
    }

    public long getFilePointer() throws IOException {
        return channel.position();
    }

    public void seek(long position) throws IOException {
        channel.position(position);
    }

    public int skipBytes(int most) throws IOException {
        long position = channel.position();
        int skipped = (int) Math.max(0, Math.min(most, channel.size() - position));
        channel.position(position + skipped);
        return skipped;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
