import { COMMON } from "../../shared/common.words.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useAction } from "../../shared/load.ts";
import { Badge, ProblemNotice, type Tone } from "../../shared/notice.tsx";
import { Loaded, Section } from "../../shared/page.tsx";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { Table, type Column } from "../../shared/table.tsx";
import { useDeliveryLog, type Delivery, type Sent } from "./delivery-log.ts";
import { WEBHOOK } from "./webhook.words.ts";

const TONES: Readonly<Record<Delivery["status"], Tone>> = {
  pending: "warning",
  delivered: "good",
  failed: "bad",
};

interface DeliveriesProps {
  /** The last from this screen. */
  readonly sent: Sent | undefined;
  readonly onSent: (sent: Sent) => void;
}

/** What was sent, what was answered, and the way to send it again. */
export function Deliveries({ sent, onSent }: DeliveriesProps) {
  const said = useWords(WEBHOOK);
  const common = useWords(COMMON);
  const { load, showOlder } = useDeliveryLog(sent);
  const paging = useAction();
  return (
    <Section title={said.log}>
      <div class="actions">
        <button type="button" onClick={load.reload}>
          {said.refresh}
        </button>
      </div>
      <Loaded load={load}>
        {(deliveries) => (
          <>
            <DeliveryTable deliveries={deliveries} onSent={onSent} />
            <ProblemNotice error={paging.error} />
            {showOlder !== undefined && (
              <div class="actions">
                <button
                  type="button"
                  disabled={paging.isBusy}
                  onClick={() => paging.run(showOlder)}
                >
                  {common.more}
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface TableProps extends Pick<DeliveriesProps, "onSent"> {
  readonly deliveries: readonly Delivery[];
}

function DeliveryTable({ deliveries, onSent }: TableProps) {
  const said = useWords(WEBHOOK);
  const format = useFormat();
  const maySet = useMay("settings");
  const columns: Column<Delivery>[] = [
    { title: said.time, cell: ({ created_at }) => format.time(created_at) },
    {
      title: said.event,
      cell: ({ event, job_id }) => (
        <>
          <code>{event}</code>
          {job_id !== null && <div class="small">{job_id}</div>}
        </>
      ),
    },
    {
      title: said.status,
      cell: ({ status, next_attempt_at }) => (
        <>
          <Badge tone={TONES[status]}>{said.deliveryStatuses[status]}</Badge>
          {next_attempt_at !== null && (
            <div class="small">{said.next(format.time(next_attempt_at))}</div>
          )}
        </>
      ),
    },
    { title: said.attempts, cell: (delivery) => <Attempts delivery={delivery} /> },
    { title: said.delivery, cell: ({ delivery_id }) => <code>{delivery_id}</code> },
  ];
  if (maySet)
    columns.push({
      title: said.actions,
      cell: (delivery) => <Resend delivery={delivery} onSent={onSent} />,
    });
  return (
    <Table
      caption={said.log}
      columns={columns}
      rows={deliveries}
      keyOf={({ delivery_id }) => delivery_id}
      empty={said.noDeliveries}
    />
  );
}

/** How often it was tried; opened, what came of each. */
function Attempts({ delivery: { attempts, attempt_count } }: { delivery: Delivery }) {
  const said = useWords(WEBHOOK);
  const format = useFormat();
  if (attempts.length === 0) return said.noAttempt;
  return (
    <details>
      <summary>{said.attemptsOf(String(attempt_count))}</summary>
      <ul class="changes">
        {attempts.map(({ attempt, at, took_ms, status, error }) => (
          <li key={attempt}>
            {said.attempt(String(attempt), format.time(at), String(took_ms))}
            {status !== null && `, ${said.answered(String(status))}`}
            {error !== null && (
              <div class="small" lang="en">
                {error}
              </div>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ResendProps extends Pick<DeliveriesProps, "onSent"> {
  readonly delivery: Delivery;
}

function Resend({ delivery, onSent }: ResendProps) {
  const said = useWords(WEBHOOK);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const action = useAction();
  const { delivery_id: deliveryId, attempt_count: attemptsBefore } = delivery;
  const resend = () =>
    action.run(async () => {
      await api.call("adminResendWebhookDelivery", { tenant_id, delivery_id: deliveryId });
      announce(said.resent);
      onSent({ deliveryId, attemptsBefore });
    });
  return (
    <div class="actions">
      <button
        type="button"
        aria-label={said.resendOf(deliveryId)}
        disabled={action.isBusy}
        onClick={resend}
      >
        {said.resend}
      </button>
      <ProblemNotice error={action.error} />
    </div>
  );
}
