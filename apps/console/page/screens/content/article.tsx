import { useState } from "preact/hooks";
import { orAbsent } from "../../shared/absent.ts";
import type { Answer } from "../../shared/api.ts";
import { Facts } from "../../shared/facts.tsx";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Notice } from "../../shared/notice.tsx";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { hashOf } from "../../shared/router.ts";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { ArticleDialog, type Asking } from "./article-dialog.tsx";
import { CONTENT } from "./content.words.ts";
import { Delivery } from "./delivery.tsx";

type Article = Answer<"adminGetContent">["data"];

/** One article with every field the tenant gets, and the ways to keep it from readers. */
export function ArticlePage({ id }: { id: string }) {
  const said = useWords(CONTENT);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const [asking, setAsking] = useState<Asking | undefined>(undefined);
  const load = useLoad(
    () => orAbsent(api.call("adminGetContent", { tenant_id, content_id: id })),
    [tenant_id, id],
  );
  const article = load.state === "ready" ? load.value?.data : undefined;
  const actions = (
    <>
      <a class="button" href={hashOf(["tenants", tenant_id, "content"])}>
        {said.back}
      </a>
      {article !== undefined && <Actions article={article} onAsk={setAsking} />}
    </>
  );
  return (
    <Page title={article?.content.title ?? id} actions={actions}>
      <Loaded load={load}>
        {(found) =>
          found === null ? (
            <Notice tone="plain">{said.notFound}</Notice>
          ) : (
            <ArticleParts article={found.data} />
          )
        }
      </Loaded>
      {asking !== undefined && (
        <ArticleDialog
          id={id}
          asking={asking}
          onDone={load.reload}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Page>
  );
}

function Actions({ article, onAsk }: { article: Article; onAsk: (asking: Asking) => void }) {
  const said = useWords(CONTENT);
  const mayWithhold = useMay("contents");
  const mayTakeDown = useMay("installation");
  return (
    <>
      {mayWithhold && (
        <button type="button" onClick={() => onAsk(article.withheld ? "release" : "withhold")}>
          {article.withheld ? said.release : said.withhold}
        </button>
      )}
      {mayTakeDown && (
        <button type="button" class="danger" onClick={() => onAsk("takeDown")}>
          {said.takeDown}
        </button>
      )}
    </>
  );
}

function ArticleParts({ article }: { article: Article }) {
  const said = useWords(CONTENT);
  const { content, licence } = article;
  return (
    <>
      <p>
        <Delivery of={article} /> {said.licence}: {said.licences[licence]}
      </p>
      <Section title={said.fields}>
        <Fields content={content} />
      </Section>
      <Section title={said.picture}>
        <Picture {...content.thumbnail} />
      </Section>
      <Section title={said.bodyTitle}>
        {content.content_body === undefined ? (
          <p class="empty">{said.noBodyLicence}</p>
        ) : (
          <>
            <p class="small">{said.bodyLead}</p>
            <pre class="text" tabIndex={0}>
              {content.content_body}
            </pre>
          </>
        )}
      </Section>
    </>
  );
}

/** Under the names the API gives them, so that a developer finds them again. */
function Fields({ content }: { content: Article["content"] }) {
  const { source, thumbnail, content_body: _, body_format: __, ...texts } = content;
  const named = Object.entries({
    ...texts,
    "source.source_id": source.source_id,
    "source.name": source.name,
    "source.url": source.url,
    "source.title_rewrite_allowed": String(source.title_rewrite_allowed),
    "thumbnail.url": thumbnail.url,
  });
  return <Facts facts={named.map(([name, value]) => [name, value] as const)} />;
}

function Picture({ url, width, height }: Article["content"]["thumbnail"]) {
  const said = useWords(CONTENT);
  const size = said.pictureOf(String(width), String(height));
  return (
    <>
      <img class="picture" src={url} alt="" width={width} height={height} />
      <p class="small">{size}</p>
    </>
  );
}
