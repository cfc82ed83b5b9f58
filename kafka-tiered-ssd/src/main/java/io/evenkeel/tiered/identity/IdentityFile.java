/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The small file in the root of an SSD or log directory that says which of them belong together. Immutable.
 *
 * <p>It is written in two steps, {@link #prepare} and {@link #publish}: the first shows whether the directory can be
 * written to and can be undone, the second is a rename.
 */
public record IdentityFile(Map<String, String> values) {
    public static final String FILE_NAME = "tiered-ssd.properties";
    public static final String TEMPORARY_NAME = FILE_NAME + SegmentFileName.COPY_SUFFIX;

    private static final String HEADER =
            "# Which SSDs and log directories belong together. Do not copy, edit or delete.\n";

    public IdentityFile {
        values = Map.copyOf(values);
    }

    /** The identity file of a directory; null when it has none. */
    public static @Nullable IdentityFile read(Path dir) throws IOException {
        Properties found = new Properties();
        try (Reader reader = Files.newBufferedReader(dir.resolve(FILE_NAME))) {
            found.load(reader);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IllegalArgumentException e) { // a malformed escape
            throw new IOException(
                    "The identity file is malformed; restore it, or mount the right disk: " + dir.resolve(FILE_NAME),
                    e);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) { // as the device reports it, without the file
            throw (IOException)
                    new FileSystemException(dir.resolve(FILE_NAME).toString(), null, e.getMessage()).initCause(e);
        }
        Map<String, String> values = new TreeMap<>();
        found.stringPropertyNames().forEach(key -> values.put(key, found.getProperty(key)));
        return new IdentityFile(values);
    }

    /** Writes the file under a temporary name, durably. */
    void prepare(FileOps files, Path dir) throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        new TreeMap<>(values)
                .forEach((key, value) -> text.append(key)
                        .append('=')
                        .append(value.replace("\\", "\\\\"))
                        .append('\n'));
        try (FileChannel channel = files.open(dir.resolve(TEMPORARY_NAME), CREATE, TRUNCATE_EXISTING, WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            files.force(channel);
        }
    }

    /** Gives the prepared file its name, durably. */
    static void publish(FileOps files, Path dir) throws IOException {
        files.rename(dir.resolve(TEMPORARY_NAME), dir.resolve(FILE_NAME));
        files.fsyncDirectory(dir);
    }

    /** Undoes {@link #prepare}. */
    static void withdraw(FileOps files, Path dir) throws IOException {
        files.deleteIfExists(dir.resolve(TEMPORARY_NAME));
    }

    /** The number for {@code key}, or 0. */
    public long number(String key, Path dir) throws IOException {
        String value = values.getOrDefault(key, "0");
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IOException(key + "=" + value + " is not a number in " + dir.resolve(FILE_NAME), e);
        }
    }

    /** In the order of the keys. */
    @Override
    public String toString() {
        return new TreeMap<>(values).toString();
    }
}
