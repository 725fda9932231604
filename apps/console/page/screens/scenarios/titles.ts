import { useEffect, useState } from "preact/hooks";
import { useSession, useTenantId } from "../../shared/session.ts";

/** Titles of articles by their ids, as they come in; an article that is gone has none. */
export function useTitles(ids: readonly string[]): ReadonlyMap<string, string> {
  const { api } = useSession();
  const tenant_id = useTenantId();
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let isShown = true;
    const learn = async (content_id: string) => {
      const { data } = await api.call("adminGetContent", { tenant_id, content_id });
      if (isShown) setTitles((known) => new Map([...known, [content_id, data.content.title]]));
    };
    for (const id of ids.filter((one) => !titles.has(one))) learn(id).catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [ids.join("\n")]);
  return titles;
}
