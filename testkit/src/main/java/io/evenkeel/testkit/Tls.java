/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A listener with TLS beside the plain one, and its clients. Stateless. */
public final class Tls {
    private static final String PASSWORD = "not a secret";

    private Tls() {}

    /** Adds a TLS listener, and a key for it. */
    public static BrokerConfig listen(BrokerConfig config) {
        Map<String, String> properties = new HashMap<>();
        String listeners =
                "PLAINTEXT://localhost:%d,SSL://localhost:%d".formatted(config.port(), BrokerConfig.freePort());
        properties.put("listeners", listeners + ",CONTROLLER://localhost:" + config.controllerPort());
        properties.put("advertised.listeners", listeners);
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,SSL:SSL,CONTROLLER:PLAINTEXT");
        properties.put("ssl.keystore.location", makeKey(config.nodeDir()).toString());
        properties.put("ssl.keystore.type", "PKCS12");
        properties.put("ssl.keystore.password", PASSWORD);
        properties.put("ssl.key.password", PASSWORD);
        return config.with(properties);
    }

    /** How a client reaches that listener. */
    public static Properties client(Broker broker) {
        String listeners = broker.config().properties().getOrDefault("advertised.listeners", "");
        Properties client = broker.clientProperties();
        client.put("bootstrap.servers", listeners.substring(listeners.indexOf("SSL://") + "SSL://".length()));
        client.put("security.protocol", "SSL");
        client.put("ssl.truststore.type", "PEM");
        client.put(
                "ssl.truststore.location",
                broker.config().nodeDir().resolve("broker.pem").toString());
        return client;
    }

    /** A key with a certificate that it has signed itself, and the certificate in a file of its own. */
    private static Path makeKey(Path nodeDir) {
        try {
            Path store = Files.createDirectories(nodeDir).resolve("broker.p12");
            keytool(
                    store,
                    "-genkeypair",
                    "-keyalg",
                    "RSA",
                    "-validity",
                    "30",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "SAN=DNS:localhost");
            keytool(
                    store,
                    "-exportcert",
                    "-rfc",
                    "-file",
                    nodeDir.resolve("broker.pem").toString());
            return store;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void keytool(Path store, String command, String... more) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), command));
        line.addAll(List.of(
                "-alias", "broker", "-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        line.addAll(List.of(more));
        Commands.run(line.toArray(String[]::new));
    }
}
