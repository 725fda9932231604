import { READ_MODELS } from "@feed/domain/read-models";
import type { ProjectionName } from "@feed/projector/projections";
import { ConfigError } from "@feed/runtime";

/**
 * Projections as they are typed: by name, or all that write a read model.
 *
 * @throws ConfigError for anything else, with what there is.
 */
export function projectionsNamed(
  texts: readonly string[],
  known: readonly ProjectionName[],
): readonly ProjectionName[] {
  const named = texts.map((text) => {
    const found = known.filter((name) => name === text || name.startsWith(`${text}.`));
    if (found.length === 0) {
      const all = [...new Set([...READ_MODELS, ...known])].join(", ");
      throw new ConfigError([`there is no ${text} here, only ${all}`]);
    }
    return found;
  });
  return [...new Set(named.flat())];
}
