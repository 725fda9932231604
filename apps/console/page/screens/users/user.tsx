import { useState } from "preact/hooks";
import { orAbsent } from "../../shared/absent.ts";
import type { Answer, Api } from "../../shared/api.ts";
import { COMMON } from "../../shared/common.words.ts";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { Facts } from "../../shared/facts.tsx";
import { TextField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Badge, Notice } from "../../shared/notice.tsx";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { goTo, hashOf } from "../../shared/router.ts";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { WhyFeed } from "./why-feed.tsx";
import { USERS } from "./users.words.ts";

type User = Answer<"adminGetUser">["data"];
/** Names of sources by id. */
type SourceNames = ReadonlyMap<string, string>;

/** What is known of one user. */
export function UserPage({ userId }: { userId: string }) {
  const said = useWords(USERS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const mayDelete = useMay("settings");
  const [isDeleting, setDeleting] = useState(false);
  const load = useLoad(() => userOf(api, tenant_id, userId), [tenant_id, userId]);
  const isThere = load.state === "ready" && load.value.user !== null;
  const actions = (
    <>
      <a class="button" href={hashOf(["tenants", tenant_id, "users"])}>
        {said.back}
      </a>
      {mayDelete && isThere && (
        <button type="button" class="danger" onClick={() => setDeleting(true)}>
          {said.delete}
        </button>
      )}
    </>
  );
  return (
    <Page title={userId} actions={actions}>
      <Loaded load={load}>
        {({ user, sources }) =>
          user === null ? (
            <Notice tone="plain">{said.notFound}</Notice>
          ) : (
            <>
              <div class="columns">
                <Section title={said.profile}>
                  <Profile user={user} sources={sources} />
                </Section>
                <Section title={said.activity}>
                  <Activity user={user} />
                </Section>
              </div>
              <WhyFeed userId={userId} />
            </>
          )
        }
      </Loaded>
      {isDeleting && <DeleteDialog userId={userId} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function Profile({ user, sources }: { user: User; sources: SourceNames }) {
  const said = useWords(USERS);
  const common = useWords(COMMON);
  const { interests = [], language, area_names = [], area_level } = user.properties;
  const named = (ids: readonly string[]) => ids.map((id) => sources.get(id) ?? id);
  const level = area_level === undefined ? "" : ` (${said.areaLevels[area_level]})`;
  return (
    <Facts
      facts={[
        [said.interests, interests.length > 0 ? <Words texts={interests} /> : said.noInterests],
        [said.language, language ?? common.none],
        [said.areas, <Words texts={area_names} after={level} />],
        [said.followed, <Words texts={named(user.followed_sources)} />],
        [said.blocked, <Words texts={named(user.blocked_sources)} />],
      ]}
    />
  );
}

/** Short texts beside each other; "none" where there is none. */
function Words({ texts, after = "" }: { texts: readonly string[]; after?: string }) {
  const common = useWords(COMMON);
  if (texts.length === 0) return <>{common.none}</>;
  return (
    <>
      {texts.map((text) => (
        <span key={text}>
          <Badge tone="plain">{text}</Badge>{" "}
        </span>
      ))}
      {after}
    </>
  );
}

function Activity({ user }: { user: User }) {
  const said = useWords(USERS);
  const common = useWords(COMMON);
  const format = useFormat();
  const time = (iso: string | null) => (iso === null ? common.never : format.time(iso));
  return (
    <Facts
      facts={[
        [said.sessions, format.number(user.total_sessions)],
        [said.lastActive, time(user.last_active_at)],
        [said.registered, time(user.registered_at)],
        [said.created, time(user.created_at)],
        [said.updated, time(user.updated_at)],
      ]}
    />
  );
}

function DeleteDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const said = useWords(USERS);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const [typed, setTyped] = useState("");
  const remove = async () => {
    await api.call("adminDeleteUser", { tenant_id, user_id: userId });
    announce(said.deleted);
    goTo(["tenants", tenant_id, "users"]);
  };
  return (
    <ConfirmDialog
      title={said.deleteTitle}
      verb={said.delete}
      isDangerous
      isReady={typed === userId}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        <code>{userId}</code>
      </p>
      <p>{said.deleteText}</p>
      <TextField
        label={said.deleteConfirm}
        required
        autocomplete="off"
        value={typed}
        onValue={setTyped}
      />
    </ConfirmDialog>
  );
}

async function userOf(api: Api, tenant_id: string, user_id: string) {
  const [user, licences] = await Promise.all([
    orAbsent(api.call("adminGetUser", { tenant_id, user_id })),
    api.call("adminListLicences", { tenant_id }),
  ]);
  const names = licences.data.map(({ source_id, name }) => [source_id, name] as const);
  return { user: user?.data ?? null, sources: new Map(names) };
}
