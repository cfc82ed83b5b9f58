;; SPDX-License-Identifier: Apache-2.0
;;
;; Judges histories with Jepsen's checker for Kafka, for the script beside it. Its arguments: a directory for what the
;; checker writes, perhaps --break, and the histories.

;; The checker's sources also ask for libraries that it draws, logs and makes up operations with. None of them is needed
;; to judge, so they are empty here.

(defn absent [library & functions]
  (create-ns library)
  (doseq [function functions]
    (intern library function (constantly nil)))
  (dosync (commute @#'clojure.core/*loaded-libs* conj library)))

(absent 'analemma.svg 'svg)
(absent 'analemma.xml 'emit)
(absent 'clj-time.core)
(absent 'clj-time.local 'local-now)
(absent 'clojure.data.generators)
(absent 'gnuplot.core 'list)
(absent 'interval-metrics.core)
(absent 'interval-metrics.measure)
(absent 'jepsen.checker.perf 'plot! 'preamble 'with-range)
(absent 'jepsen.client)
(absent 'jepsen.print 'all-jdk-loggers 'concat-files! 'log 'log-op 'log-print 'mute 'mute-jdk 'op->str 'pprint
        'pprint-str 'print-history 'prn-op 'pwrite-history! 'spy 'test->str 'write-history!)
(absent 'jepsen.random 'double 'exp 'geometric 'long 'nonempty-subset 'nth 'nth-empty 'weighted 'zipf)
(absent 'jepsen.tests.cycle.append 'test)
(absent 'rhizome.dot 'graph->dot)
(absent 'rhizome.viz 'dot->image 'dot->svg 'save-image 'view-image)
(absent 'unilog.config 'start-logging!)

(ns fipp.ednize)
(defprotocol IOverride)
(defprotocol IEdn (-edn [x]))
(defn tagged-object [& _])

(ns hiccup.core)
(defmacro html [& _])

(ns jepsen.checker)
(defprotocol Checker (check [checker test history opts]))
(defn stats [])

(ns jepsen.generator (:refer-clojure :exclude [any? map update]))
(defprotocol Generator (op [gen test context]) (update [gen test context event]))
(defn any [& _])
(defn each-thread [& _])
(defn fill-in-op [& _])
(defn map [& _])
(defn stagger [& _])
(defn time-limit [& _])

(ns jepsen.store (:require [clojure.java.io :as io]))
(defmacro with-out-file [& _])
(defn path! [test & names]
  (doto (apply io/file (:directory test) (map str (remove nil? names))) io/make-parents))

;; The same library under its former name.
(ns slingshot.slingshot (:require [clj-commons.slingshot] [potemkin :refer [import-vars]]))
(import-vars [clj-commons.slingshot throw+ try+])

(ns evenkeel.jepsen-checker
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.string :as str]
            [jepsen.checker :as checker]
            [jepsen.history :as h]
            [jepsen.tests.kafka :as kafka]))

(defn read-history [file]
  (with-open [lines (io/reader file)]
    (mapv edn/read-string (line-seq lines))))

(defn verdict [directory operations]
  (let [history (h/history operations)]
    (checker/check (kafka/checker)
                   {:directory directory, :history history, :sub-via #{:assign}, :concurrency 1}
                   history
                   {})))

(defn listed [counts]
  (str/join ", " (map (fn [[kind n]] (str kind " " n)) counts)))

(defn anomalies [verdict]
  (listed (map (fn [type]
                 [(name type) (if (= :unseen type)
                                (apply + (vals (:unseen (:unseen verdict))))
                                (:count (type verdict)))])
               (:error-types verdict))))

(defn sends [operation]
  (when (#{:send :txn} (:f operation))
    (filter (comp #{:send} first) (:value operation))))

(defn judge [directory file]
  (let [operations (read-history file)
        ended (remove (comp #{:invoke} :type) operations)
        acknowledged (mapcat sends (filter (comp #{:ok} :type) ended))
        {:keys [valid? bad-error-types] :as verdict} (verdict directory operations)]
    (println (str (.getName (io/file file)) ": " (if (true? valid?) "valid" (str "NOT VALID: " (vec bad-error-types)))))
    (println "  operations:" (listed (sort (frequencies (map #(str (name (:f %)) " " (name (:type %))) ended)))))
    (println "  records acknowledged:" (count acknowledged))
    (println "  anomalies of all kinds, also those that Kafka allows:" (anomalies verdict))
    (and (true? valid?) (pos? (count acknowledged)))))

;; --- Faults: each takes operations and answers broken ones, in which the checker must find an anomaly of its name.

(defn victim
  "An acknowledged record from the middle of partition 0: its offset and value."
  [operations]
  (let [acknowledged (for [operation operations
                           :when (= :ok (:type operation))
                           [_ key record] (sends operation)
                           :when (zero? key)]
                       record)]
    (nth (sort acknowledged) (quot (count acknowledged) 2))))

(defn change-polls
  "Changes what the polls of some operations found in partition 0."
  [operations chosen? change]
  (mapv (fn [operation]
          (if (and (#{:poll :txn} (:f operation)) (not= :invoke (:type operation)) (chosen? operation))
            (update operation :value
                    (partial mapv (fn [[f found :as step]]
                                    (if (and (= :poll f) (contains? found 0))
                                      [:poll (update found 0 (comp vec change))]
                                      step))))
            operation))
        operations))

(defn found
  "What the polls of an operation found in partition 0."
  [operation]
  (mapcat (fn [[f found]] (when (= :poll f) (get found 0))) (:value operation)))

(defn successful-polls
  "Those that found something, of all processes or of that of another operation."
  [operations & [{:keys [process]}]]
  (filter #(and (= [:ok :poll] ((juxt :type :f) %))
                (seq (found %))
                (or (nil? process) (= process (:process %))))
          operations))

(defn first-poll
  "The first poll that found a record, and others before and after it."
  [operations record]
  (first (filter #(some #{record} (butlast (rest (found %)))) (successful-polls operations))))

(defn own
  "A record that the operation itself sent to partition 0."
  [operation]
  (some (fn [[_ key record]] (when (zero? key) record)) (sends operation)))

(defn with-first-poll [change]
  (fn [operations]
    (let [record (victim operations)
          operation (first-poll operations record)]
      (change-polls operations #{operation} (partial change record)))))

(defn too-late
  "The operation that sent a record comes, as another process, after all that have read the record."
  [operations]
  (let [record (victim operations)
        completion (first (filter #(some #{[:send 0 record]} (:value %)) operations))
        invocation (last (filter #(and (= :invoke (:type %)) (= (:process completion) (:process %)))
                                 (take-while (complement #{completion}) operations)))
        late (map #(assoc % :process Integer/MAX_VALUE) [invocation completion])]
    (mapv #(dissoc % :index) (concat (remove #{invocation completion} operations) late))))

(def faults
  {:lost-write (fn [operations] (change-polls operations any? (partial remove #{(victim operations)})))
   :G1a (fn [operations]
          (let [record (victim operations)]
            (mapv #(if (some #{[:send 0 record]} (:value %)) (assoc % :type :fail) %) operations)))
   :duplicate (with-first-poll
                (fn [[_ value] records] (concat (butlast records) [[(first (last records)) value]])))
   :inconsistent-offsets (with-first-poll
                           (fn [[offset :as record] records]
                             (replace {record [offset (second (last records))]} records)))
   :int-nonmonotonic-poll (with-first-poll (fn [_ records] (reverse records)))
   :int-poll-skip (with-first-poll (fn [record records] (remove #{record} records)))
   :nonmonotonic-poll (fn [operations]
                        (let [poll (first-poll operations (victim operations))
                              next-poll (second (drop-while (complement #{poll}) (successful-polls operations poll)))]
                          (change-polls operations #{next-poll} (constantly (found poll)))))
   :G1c-realtime too-late
   :precommitted-read (fn [operations]
                        (let [operation (first (filter #(and (= [:ok :txn] ((juxt :type :f) %)) (own %) (seq (found %)))
                                                       operations))]
                          (change-polls operations #{operation} #(conj (vec %) (own operation)))))})

(defn notices? [directory operations [fault break]]
  (let [verdict (verdict directory (break operations))
        noticed? (boolean (some #{fault} (:bad-error-types verdict)))]
    (println (str "  " (name fault) ": " (if noticed? "noticed" "NOT NOTICED") " (" (anomalies verdict) ")"))
    noticed?))

(defn notices-all? [directory file]
  (println (str (.getName (io/file file)) ", broken:"))
  (let [operations (read-history file)]
    (every? true? (mapv (partial notices? directory operations) faults))))

(let [[directory & arguments] *command-line-args*
      break? (= "--break" (first arguments))
      right? (mapv (partial (if break? notices-all? judge) directory) (if break? (rest arguments) arguments))]
  (shutdown-agents)
  (System/exit (if (every? true? right?) 0 1)))
