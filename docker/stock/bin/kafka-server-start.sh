#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# kafka-server-start.sh SERVER.PROPERTIES [--override KEY=VALUE]...   runs a broker in the foreground.
set -euo pipefail

bin=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export KAFKA_HEAP_OPTS=${KAFKA_HEAP_OPTS:--Xms1g -Xmx1g}
export KAFKA_LOG4J_OPTS=${KAFKA_LOG4J_OPTS:--Dlog4j2.configurationFile=$bin/../config/log4j2.yaml}

exec "$bin/kafka-run-class.sh" kafka.Kafka "$@"
