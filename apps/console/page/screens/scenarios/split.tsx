import { useState } from "preact/hooks";
import { Facts } from "../../shared/facts.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Badge } from "../../shared/notice.tsx";
import { Loaded, Section } from "../../shared/page.tsx";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import type { Scenario } from "./scenario-types.ts";
import type { Values } from "./setting-fields.ts";
import { EndDialog, ShareDialog, StartDialog } from "./split-dialogs.tsx";
import { PastSplits } from "./split-past.tsx";
import { SplitReport } from "./split-report.tsx";
import type { Experiment } from "./split-types.ts";
import { SPLIT } from "./split.words.ts";
import { Changes } from "./versions.tsx";

interface SplitProps {
  /** Newest first, of a feed scenario. */
  readonly versions: readonly Scenario[];
  /** As they stand in the form. */
  readonly edited: Values;
  /** The scenario may have another version now. */
  readonly onEnded: () => void;
}

/** A scenario compared with a variant of it: the split that runs, with its report, or the way to start one; and earlier ones. */
export function Split({ versions, edited, onEnded }: SplitProps) {
  const said = useWords(SPLIT);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const mayStart = useMay("scenarios");
  const [isStarting, setStarting] = useState(false);
  const name = versions[0]?.name ?? "";
  const load = useLoad(async () => {
    const { data } = await api.call("adminListExperiments", { tenant_id, name });
    return data;
  }, [tenant_id, name]);
  const done = () => {
    setStarting(false);
    load.reload();
  };
  return (
    <Section title={said.title}>
      <p>{said.lead}</p>
      <Loaded load={load}>
        {(experiments) => {
          const running = experiments.find(({ end }) => end === null);
          const past = experiments.filter(({ end }) => end !== null);
          return (
            <>
              {running !== undefined && (
                <Running
                  key={running.experiment_id}
                  {...{ running, versions }}
                  onChanged={load.reload}
                  onEnded={() => {
                    load.reload();
                    onEnded();
                  }}
                />
              )}
              {running === undefined && mayStart && (
                <div class="actions">
                  <button type="button" onClick={() => setStarting(true)}>
                    {said.start}
                  </button>
                </div>
              )}
              {past.length > 0 && <PastSplits experiments={past} />}
            </>
          );
        }}
      </Loaded>
      {isStarting && (
        <StartDialog {...{ versions, edited }} onDone={done} onClose={() => setStarting(false)} />
      )}
    </Section>
  );
}

interface RunningProps {
  readonly running: Experiment;
  readonly versions: readonly Scenario[];
  readonly onChanged: () => void;
  readonly onEnded: () => void;
}

function Running({ running, versions, onChanged, onEnded }: RunningProps) {
  const said = useWords(SPLIT);
  const { share, time } = useFormat();
  const { me } = useSession();
  const { variant, variant_share, started_at, started_by, share_set_at } = running;
  const control = versions.find(({ version }) => version === running.control_version);
  const variantName =
    variant.version === null ? said.neverSaved : said.version(String(variant.version));
  const starter = started_by === me.person_id ? said.you : started_by;
  return (
    <>
      <h3>
        {running.name} <Badge tone="good">{said.running}</Badge>
      </h3>
      <p>{said.lockedNote}</p>
      <Facts
        facts={[
          [said.facts.share, share(variant_share)],
          [said.facts.started, said.by(time(started_at), starter)],
          [said.facts.counted, time(share_set_at)],
          [
            said.facts.variant,
            <>
              {variantName}
              {control !== undefined && (
                <Changes from={control} to={{ ...control, settings: variant.settings }} />
              )}
            </>,
          ],
        ]}
      />
      <SplitReport experiment={running} />
      <RunningActions {...{ running, onChanged, onEnded }} />
    </>
  );
}

/** What may be done with a split that runs; nothing for those who only read. */
function RunningActions({ running, onChanged, onEnded }: Omit<RunningProps, "versions">) {
  const said = useWords(SPLIT);
  const mayChange = useMay("scenarios");
  const [asking, setAsking] = useState<"share" | "adopted" | "kept" | undefined>(undefined);
  const close = () => setAsking(undefined);
  const after = (next: () => void) => () => {
    close();
    next();
  };
  if (!mayChange) return null;
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => setAsking("share")}>
          {said.changeShare}
        </button>
        <button type="button" onClick={() => setAsking("adopted")}>
          {said.adopt}
        </button>
        <button type="button" onClick={() => setAsking("kept")}>
          {said.keep}
        </button>
      </div>
      {asking === "share" && (
        <ShareDialog experiment={running} onDone={after(onChanged)} onClose={close} />
      )}
      {(asking === "adopted" || asking === "kept") && (
        <EndDialog experiment={running} outcome={asking} onDone={after(onEnded)} onClose={close} />
      )}
    </>
  );
}
