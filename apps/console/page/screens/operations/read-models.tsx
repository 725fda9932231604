import { useWords } from "../../shared/language.ts";
import { Badge } from "../../shared/notice.tsx";
import { OPERATIONS } from "./operations.words.ts";
import type { Operations, ReadModel } from "./standing.ts";

/** The versions of each read model. */
export function ReadModels({ operations }: { operations: Operations }) {
  return (
    <dl class="facts">
      {operations.read_models.map((model) => (
        <div key={model.name}>
          <dt>
            <code>{model.name}</code>
          </dt>
          <dd class="stack">
            {model.kept_versions.map((version) => (
              <Version key={version} {...{ model, version }} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface VersionProps {
  readonly model: ReadModel;
  readonly version: number;
}

function Version({ model, version }: VersionProps) {
  const said = useWords(OPERATIONS);
  const isLive = version === model.live_version;
  const use = version === model.previous_version ? said.isPrevious : said.isBeside;
  return (
    <p>
      {said.version(String(version))}{" "}
      <Badge tone={isLive ? "good" : "plain"}>{isLive ? said.isLive : use}</Badge>
    </p>
  );
}
