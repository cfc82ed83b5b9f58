#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Producers and groups on librdkafka, each in a thread, until standard input ends.

Arguments: the bootstrap servers, the prefix of the topics, the partitions of each topic. The topics exist:
<prefix>plain, <prefix>idempotent, <prefix>no-acks, <prefix>transactional.

Prints one JSON object a line:
  {"ready": true}                                         all clients are under way
  {"client": ..., "error": ..., "count": 1}               an error that the application gets
  {"topic": ..., "partition": ..., "acknowledged": [...], "aborted": [...]}      at the end; ranges [from, to)
  {"group": ..., "topic": ..., "partition": ..., "offset": ...}                  at the end; the last commit
  {"end": true}
A record's value begins with its sequence in the partition, as a big-endian 64-bit number.
"""
import json
import struct
import sys
import threading

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

BOOTSTRAP, PREFIX, PARTITIONS = sys.argv[1], sys.argv[2], int(sys.argv[3])
PAUSE_SECONDS = 0.02
LONGEST_SECONDS = 180
RECORDS = 10
ABORT_EVERY = 5
PADDING = bytes(1992)
KINDS = {
    "plain": {"acks": "all", "enable.idempotence": False, "message.send.max.retries": 0},
    "idempotent": {"acks": "all", "enable.idempotence": True},
    "no-acks": {"acks": 0, "enable.idempotence": False},
}

ending = threading.Event()
writers_ended = threading.Event()
lock = threading.Lock()


def say(**line):
    with lock:
        print(json.dumps(line), flush=True)


def see(client, error):
    say(client=client, error=error.name(), count=1)


def config(**more):
    return {"bootstrap.servers": BOOTSTRAP, "log_level": 0, **more}


def ranges(sequences):
    found = []
    for sequence in sorted(sequences):
        if found and found[-1][1] == sequence:
            found[-1][1] = sequence + 1
        else:
            found.append([sequence, sequence + 1])
    return found


class Sent:
    """What was sent to a topic, by partition."""

    def __init__(self, topic):
        self.topic = topic
        self.acknowledged = [set() for _ in range(PARTITIONS)]
        self.aborted = [set() for _ in range(PARTITIONS)]

    def say(self):
        for partition in range(PARTITIONS):
            say(topic=self.topic, partition=partition, acknowledged=ranges(self.acknowledged[partition]),
                aborted=ranges(self.aborted[partition]))


def send(producer, topic, partition, sequence, callback=None):
    while True:
        try:
            producer.produce(topic, partition=partition, value=struct.pack(">q", sequence) + PADDING,
                             on_delivery=callback)
            return
        except BufferError:
            producer.poll(0.1)


def produce(kind, warm):
    topic = PREFIX + kind
    sent = Sent(topic)
    # Errors of a connection as librdkafka reports them; it goes on by itself after them.
    producer = Producer(config(error_cb=lambda error: see(kind, error), **KINDS[kind]))

    def callback(sequence, partition):
        def delivered(error, _):
            if error is None:
                sent.acknowledged[partition].add(sequence)
            else:
                see(kind, error)
        return delivered

    sequence = 0
    while not ending.wait(PAUSE_SECONDS):
        for partition in range(PARTITIONS):
            send(producer, topic, partition, sequence, callback(sequence, partition))
        sequence += 1
        producer.poll(0)
        if len(sent.acknowledged[0]) > 20:
            warm.set()
    if producer.flush(LONGEST_SECONDS):
        say(client=kind, error="never delivered", count=1)
    sent.say()


def transact(warm):
    topic = PREFIX + "transactional"
    group = topic + "-offsets"
    sent = Sent(topic)
    committed = 0
    producer = None
    member = Consumer(config(**{"group.id": group}))
    number = 0
    last = False
    while not last:
        last = ending.wait(PAUSE_SECONDS)  # one more: the id is usable at the end
        sequences = range(number * RECORDS, (number + 1) * RECORDS)
        try:
            if producer is None:
                producer = Producer(config(**{"transactional.id": topic}))
                producer.init_transactions(LONGEST_SECONDS)
            producer.begin_transaction()
            for sequence in sequences:
                for partition in range(PARTITIONS):
                    send(producer, topic, partition, sequence)
            offset = TopicPartition(topic, 0, number + 1)
            producer.send_offsets_to_transaction([offset], member.consumer_group_metadata(), LONGEST_SECONDS)
            if number % ABORT_EVERY == 0 and not last:
                producer.flush()
                producer.abort_transaction(LONGEST_SECONDS)
                record = sent.aborted
            else:
                producer.commit_transaction(LONGEST_SECONDS)
                committed = number + 1
                record = sent.acknowledged
            for partition in range(PARTITIONS):
                record[partition].update(sequences)
        except KafkaException as failed:
            see("transactional", failed.args[0])
            producer = None  # its successor ends the transaction under way
        number += 1
        if number > 10:
            warm.set()
    member.close()
    sent.say()
    say(group=group, topic=topic, partition=0, offset=committed)


def read(kind, warm):
    topic = PREFIX + kind
    group = topic + "-readers"
    committed = {}
    consumer = Consumer(config(**{"group.id": group, "enable.auto.commit": False, "auto.offset.reset": "earliest",
                                  "isolation.level": "read_committed"}))
    consumer.subscribe([topic])
    while not writers_ended.is_set():
        try:
            positions = {}
            for message in consumer.consume(500, 0.2):
                if message.error():
                    see("group", message.error())
                else:
                    positions[message.partition()] = message.offset() + 1
            if positions:
                consumer.commit(offsets=[TopicPartition(topic, *position) for position in positions.items()],
                                asynchronous=False)
                committed.update(positions)
                warm.set()
        except KafkaException as failed:
            see("group", failed.args[0])
    consumer.close()
    for partition, offset in committed.items():
        say(group=group, topic=topic, partition=partition, offset=offset)


def start(function, *arguments):
    warm = threading.Event()
    thread = threading.Thread(target=function, args=(*arguments, warm), daemon=True)
    thread.start()
    return thread, warm


def main():
    writers = [start(produce, kind) for kind in KINDS] + [start(transact)]
    readers = [start(read, kind) for kind in (*KINDS, "transactional")]
    for _, warm in writers + readers:
        if not warm.wait(LONGEST_SECONDS):
            sys.exit("a client does not get under way")
    say(ready=True)
    sys.stdin.read()
    ending.set()
    for thread, _ in writers:
        thread.join()
    writers_ended.set()
    for thread, _ in readers:
        thread.join()
    say(end=True)


main()
