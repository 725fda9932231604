import { describeEventLog } from "./conformance.ts";
import { openInFreshTopics } from "./testing/kafka-under-test.ts";

describeEventLog("Kafka", openInFreshTopics);
