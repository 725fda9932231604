import type { BehaviourPersonal, BehaviourRecorded, Opened, UserFact } from "@feed/domain/facts";
import { waitFor } from "@feed/test-kit";
import type { User } from "../openapi.generated.ts";
import { call } from "./client.ts";
import type { Installation } from "./installation.ts";

type Behaviour = BehaviourRecorded<Opened<BehaviourPersonal>>;

/** What tests of POST /v1/events do and look at, on the installation that is open when they are called. */
export function eventCalls(opened: () => Installation) {
  const post = (events: unknown, path = "/v1/events", headers: Record<string, string> = {}) =>
    call(opened(), "POST", path, { body: { events }, headers });
  const userAt = async (userId: string) => {
    const { json } = await call(opened(), "GET", `/v1/users/${userId}`);
    return (json as { readonly data?: User } | undefined)?.data;
  };
  const behaviours = () =>
    opened().projector.facts.filter(
      (fact: UserFact): fact is Behaviour => fact.type === "behaviour.recorded",
    );
  const factOf = async (eventId: string) => {
    await waitFor(() => behaviours().some((fact) => fact.eventId === eventId));
    const found = behaviours().find((fact) => fact.eventId === eventId);
    if (found === undefined) throw new Error(`no fact of event ${eventId}`);
    return found;
  };
  const endOffsets = async () => {
    const ends = await opened().deps.eventLog.endOffsets("users");
    return ends.reduce((sum, end) => sum + end, 0);
  };
  const faultsOf = (answer: { readonly json: unknown }) =>
    (answer.json as { readonly errors: readonly { readonly pointer: string }[] }).errors.map(
      ({ pointer }) => pointer,
    );
  return { post, userAt, behaviours, factOf, endOffsets, faultsOf };
}
