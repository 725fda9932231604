import { describeEventLog } from "./conformance.ts";
import { openInFreshDirectory } from "./testing/under-test.ts";

describeEventLog("embedded", () => openInFreshDirectory());
