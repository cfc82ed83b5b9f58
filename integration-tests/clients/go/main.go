// SPDX-License-Identifier: Apache-2.0

// Producers and groups on franz-go, each in a goroutine, until standard input ends. Arguments and output are those of
// ../python/stutter_client.py.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	pause      = 20 * time.Millisecond
	longest    = 180 * time.Second
	records    = 10
	abortEvery = 5
	valueBytes = 2000
)

var (
	bootstrap  = strings.Split(os.Args[1], ",")
	prefix     = os.Args[2]
	partitions = number(os.Args[3])
	ending     = make(chan struct{})
	written    = make(chan struct{})
	output     sync.Mutex
)

type line map[string]any

func number(argument string) int {
	parsed, err := strconv.Atoi(argument)
	if err != nil {
		panic(err)
	}
	return parsed
}

func say(l line) {
	output.Lock()
	defer output.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(l); err != nil {
		panic(err)
	}
}

// see reports an error by its protocol name, or by its type when it is the client's own.
func see(client string, err error) {
	name := fmt.Sprintf("%T", err)
	var protocol *kerr.Error
	if errors.As(err, &protocol) {
		name = protocol.Message
	} else {
		for cause := err; cause != nil; cause = errors.Unwrap(cause) {
			name = cause.Error()
		}
	}
	say(line{"client": client, "error": name, "count": 1})
}

// sent is what was sent to a topic, by partition.
type sent struct {
	mutex        sync.Mutex
	topic        string
	acknowledged []map[int64]bool
	aborted      []map[int64]bool
}

func newSent(topic string) *sent {
	s := &sent{topic: topic}
	for range partitions {
		s.acknowledged = append(s.acknowledged, map[int64]bool{})
		s.aborted = append(s.aborted, map[int64]bool{})
	}
	return s
}

func (s *sent) acknowledge(partition int, sequence int64) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.acknowledged[partition][sequence] = true
	return len(s.acknowledged[partition])
}

func (s *sent) say() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for partition := range partitions {
		say(line{"topic": s.topic, "partition": partition, "acknowledged": ranges(s.acknowledged[partition]),
			"aborted": ranges(s.aborted[partition])})
	}
}

func ranges(set map[int64]bool) [][2]int64 {
	sequences := make([]int64, 0, len(set))
	for sequence := range set {
		sequences = append(sequences, sequence)
	}
	sort.Slice(sequences, func(a, b int) bool { return sequences[a] < sequences[b] })
	found := [][2]int64{}
	for _, sequence := range sequences {
		if last := len(found) - 1; last >= 0 && found[last][1] == sequence {
			found[last][1]++
		} else {
			found = append(found, [2]int64{sequence, sequence + 1})
		}
	}
	return found
}

func record(topic string, partition int, sequence int64) *kgo.Record {
	value := make([]byte, valueBytes)
	binary.BigEndian.PutUint64(value, uint64(sequence))
	return &kgo.Record{Topic: topic, Partition: int32(partition), Value: value}
}

func client(more ...kgo.Opt) *kgo.Client {
	made, err := kgo.NewClient(append(more, kgo.SeedBrokers(bootstrap...),
		kgo.RecordPartitioner(kgo.ManualPartitioner()))...)
	if err != nil {
		panic(err)
	}
	return made
}

func ended(channel chan struct{}) bool {
	select {
	case <-channel:
		return true
	case <-time.After(pause):
		return false
	}
}

// warmth is closed once, when a client is under way.
type warmth struct {
	once sync.Once
	c    chan struct{}
}

func (w *warmth) reached() { w.once.Do(func() { close(w.c) }) }

func produce(kind string, warm *warmth, more ...kgo.Opt) {
	topic := prefix + kind
	all := newSent(topic)
	producer := client(more...)
	defer producer.Close()
	for sequence := int64(0); !ended(ending); sequence++ {
		for partition := range partitions {
			producer.Produce(context.Background(), record(topic, partition, sequence), func(_ *kgo.Record, err error) {
				if err != nil {
					see(kind, err)
				} else if all.acknowledge(partition, sequence) > 20 {
					warm.reached()
				}
			})
		}
	}
	within, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	if err := producer.Flush(within); err != nil {
		see(kind, err)
	}
	all.say()
}

// offsets asks for an offset of a group to be part of the transaction, as kgo's group sessions do.
func offsets(producer *kgo.Client, id, group string, offset int64) error {
	within, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	producerID, epoch, err := producer.ProducerID(within)
	if err != nil {
		return err
	}
	add := kmsg.NewPtrAddOffsetsToTxnRequest()
	add.TransactionalID, add.ProducerID, add.ProducerEpoch, add.Group = id, producerID, epoch, group
	err = retried(func() (int16, error) {
		added, err := add.RequestWith(within, producer)
		if err != nil {
			return 0, err
		}
		return added.ErrorCode, nil
	})
	if err != nil {
		return err
	}
	commit := kmsg.NewPtrTxnOffsetCommitRequest()
	commit.TransactionalID, commit.ProducerID, commit.ProducerEpoch, commit.Group = id, producerID, epoch, group
	commit.Generation = -1
	partition := kmsg.NewTxnOffsetCommitRequestTopicPartition()
	partition.Offset = offset
	topic := kmsg.NewTxnOffsetCommitRequestTopic()
	topic.Topic, topic.Partitions = id, append(topic.Partitions, partition)
	commit.Topics = append(commit.Topics, topic)
	return retried(func() (int16, error) {
		committed, err := commit.RequestWith(within, producer)
		if err != nil {
			return 0, err
		}
		return committed.Topics[0].Partitions[0].ErrorCode, nil
	})
}

// retried sends a request again while the transaction before is not complete yet, as kgo does with its own requests.
func retried(request func() (int16, error)) error {
	for {
		code, err := request()
		if err != nil {
			return err
		}
		if code != kerr.ConcurrentTransactions.Code {
			return kerr.ErrorForCode(code)
		}
		time.Sleep(pause)
	}
}

func transaction(producer *kgo.Client, topic string, count int64, commit kgo.TransactionEndTry) error {
	if err := producer.BeginTransaction(); err != nil {
		return err
	}
	batch := []*kgo.Record{}
	for sequence := count * records; sequence < (count+1)*records; sequence++ {
		for partition := range partitions {
			batch = append(batch, record(topic, partition, sequence))
		}
	}
	within, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	if err := producer.ProduceSync(within, batch...).FirstErr(); err != nil {
		return err
	}
	if err := offsets(producer, topic, topic+"-offsets", count+1); err != nil {
		return err
	}
	return producer.EndTransaction(within, commit)
}

func transact(warm *warmth) {
	topic := prefix + "transactional"
	all := newSent(topic)
	var producer *kgo.Client
	var committed int64
	last := false
	for count := int64(0); !last; count++ {
		last = ended(ending) // one more: the id is usable at the end
		if producer == nil {
			producer = client(kgo.TransactionalID(topic))
		}
		commit := kgo.TransactionEndTry(last || count%abortEvery != 0)
		if err := transaction(producer, topic, count, commit); err != nil {
			see("transactional", err)
			producer.Close() // its successor ends the transaction under way
			producer = nil
			continue
		}
		sets := all.aborted
		if commit {
			sets, committed = all.acknowledged, count+1
		}
		for partition := range partitions {
			for sequence := count * records; sequence < (count+1)*records; sequence++ {
				sets[partition][sequence] = true
			}
		}
		if count > 10 {
			warm.reached()
		}
	}
	if producer != nil {
		producer.Close()
	}
	all.say()
	say(line{"group": topic + "-offsets", "topic": topic, "partition": 0, "offset": committed})
}

func read(kind string, warm *warmth) {
	topic := prefix + kind
	group := topic + "-readers"
	committed := map[int32]int64{}
	consumer := client(kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic), kgo.DisableAutoCommit(),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	for !ended(written) {
		within, cancel := context.WithTimeout(context.Background(), time.Second)
		fetches := consumer.PollFetches(within)
		cancel()
		fetches.EachError(func(_ string, _ int32, err error) {
			if !errors.Is(err, context.DeadlineExceeded) {
				see("group", err)
			}
		})
		found := fetches.Records()
		if len(found) == 0 {
			continue
		}
		if err := consumer.CommitRecords(context.Background(), found...); err != nil {
			see("group", err)
			continue
		}
		for _, one := range found {
			committed[one.Partition] = one.Offset + 1
		}
		warm.reached()
	}
	consumer.Close()
	for partition, offset := range committed {
		say(line{"group": group, "topic": topic, "partition": partition, "offset": offset})
	}
}

func main() {
	var writers, readers sync.WaitGroup
	warm := []*warmth{}
	start := func(group *sync.WaitGroup, run func(*warmth)) {
		w := &warmth{c: make(chan struct{})}
		warm = append(warm, w)
		group.Go(func() { run(w) })
	}
	start(&writers, func(w *warmth) {
		produce("plain", w, kgo.DisableIdempotentWrite(), kgo.RecordRetries(0), kgo.MaxProduceRequestsInflightPerBroker(1))
	})
	start(&writers, func(w *warmth) { produce("idempotent", w) })
	start(&writers, func(w *warmth) {
		produce("no-acks", w, kgo.DisableIdempotentWrite(), kgo.RequiredAcks(kgo.NoAck()))
	})
	start(&writers, transact)
	for _, kind := range []string{"plain", "idempotent", "no-acks", "transactional"} {
		start(&readers, func(w *warmth) { read(kind, w) })
	}
	deadline := time.After(longest)
	for _, w := range warm {
		select {
		case <-w.c:
		case <-deadline:
			fmt.Fprintln(os.Stderr, "a client does not get under way")
			os.Exit(1)
		}
	}
	say(line{"ready": true})
	_, _ = io.Copy(io.Discard, os.Stdin)
	close(ending)
	writers.Wait()
	close(written)
	readers.Wait()
	say(line{"end": true})
}
