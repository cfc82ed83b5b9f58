/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.core.kafka.ConfigHooks;
import java.io.IOException;
import java.util.Properties;
import net.bytebuddy.asm.Advice;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import scala.Option;
import scala.collection.immutable.List;

/** The advice of {@link ConfigPoints}: each is one call through the door, {@link ConfigHooks}. Stateless. */
final class ConfigAdvice {
    private ConfigAdvice() {}

    static final class Start {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) AbstractConfig config, @Advice.Argument(6) LogDirFailureChannel failures)
                throws IOException {
            ConfigHooks.start(config, failures);
        }
    }

    static final class Metadata {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(1) MetadataImage image) {
            ConfigHooks.metadata(image);
        }
    }

    static final class Validate {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) Properties configs, @Advice.Argument(1) boolean perBroker) {
            ConfigHooks.validate(configs, perBroker);
        }
    }

    static final class ConfigType {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) String key, @Advice.Return(readOnly = false) Option<ConfigDef.Type> type) {
            type = ConfigHooks.configType(key, type);
        }
    }

    static final class Describe {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) List<DescribeConfigsResource> asked,
                @Advice.Argument(1) boolean withSynonyms,
                @Advice.Argument(2) boolean withDocumentation,
                @Advice.Return List<DescribeConfigsResult> answers) {
            ConfigHooks.described(asked, answers, withSynonyms, withDocumentation);
        }
    }
}
