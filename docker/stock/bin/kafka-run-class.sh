#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# kafka-run-class.sh CLASS [ARGUMENT]...   runs CLASS on Kafka's class path.
# Honours JAVA_HOME, CLASSPATH, LOG_DIR and the usual KAFKA_*_OPTS, each of which holds options for the JVM.
set -euo pipefail

kafka=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
log_dir=${LOG_DIR:-$kafka/logs}
collector='-XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent'

# The options may span lines. read returns 1 when it reaches the end of the text.
read -rd '' -a options <<END || true
${KAFKA_HEAP_OPTS:--Xmx256m} ${KAFKA_JVM_PERFORMANCE_OPTS:-$collector} ${KAFKA_GC_LOG_OPTS-} ${KAFKA_JMX_OPTS-}
${KAFKA_LOG4J_OPTS:--Dlog4j2.configurationFile=$kafka/config/tools-log4j2.yaml} ${KAFKA_OPTS-}
END

exec "$java" "${options[@]}" "-Dkafka.logs.dir=$log_dir" -cp "${CLASSPATH:+$CLASSPATH:}$kafka/libs/*" "$@"
