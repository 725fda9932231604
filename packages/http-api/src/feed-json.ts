import type { ContentItem, Explanation, FeedItem } from "@feed/feed/service";
import { keepableBytes } from "@feed/runtime";
import { presentContentItem } from "./contents.route.ts";
import type { FeedAnswer } from "./openapi.generated.ts";

type AnsweredItem = FeedAnswer["data"][number];
/** What of an item is the request's own. */
type OwnPart = Pick<AnsweredItem, "score" | "tracking_token" | "explanation"> &
  Partial<Pick<AnsweredItem, "content_body" | "body_format">>;

const COMMA = Buffer.from(",");
const BEGIN = Buffer.from('{"data":[');

/** The JSON of contents without its last brace. The same content is answered thousands of times. */
const heads = new WeakMap<ContentItem, Buffer>();

/** `FeedAnswer` as JSON, put together of what is the same in every feed and what is this one's own. */
export function feedAnswerJson(items: readonly FeedItem[], meta: FeedAnswer["meta"]): Buffer {
  const parts: Buffer[] = [BEGIN];
  items.forEach((item, at) => {
    if (at > 0) parts.push(COMMA);
    parts.push(headOf(item.content), tailOf(item));
  });
  parts.push(Buffer.from(`],"meta":${JSON.stringify(meta)}}`));
  return Buffer.concat(parts);
}

function headOf(content: ContentItem): Buffer {
  const known = heads.get(content);
  if (known !== undefined) return known;
  const text = JSON.stringify(presentContentItem(content)).slice(0, -1);
  const head = keepableBytes(Buffer.from(text));
  heads.set(content, head);
  return head;
}

function tailOf({ body, score, tracking_token, explanation }: FeedItem): Buffer {
  const own: OwnPart = {
    ...(body !== undefined && { content_body: body.content_body, body_format: body.body_format }),
    score,
    tracking_token,
    ...(explanation !== undefined && { explanation: presentExplanation(explanation) }),
  };
  return Buffer.from(`,${JSON.stringify(own).slice(1)}`);
}

/** Why an item is where it is; every field by name. */
export function presentExplanation({
  parts,
  boosts,
  found_by,
  ranking_rules,
  because_of,
  moved,
  rule,
}: Explanation): NonNullable<OwnPart["explanation"]> {
  return {
    parts: { ...parts },
    boosts: { ...boosts },
    found_by: [...found_by],
    ...(ranking_rules !== undefined && {
      ranking_rules: ranking_rules.map(({ match, id, factor }) => ({ match, id, factor })),
    }),
    ...(because_of !== undefined && { because_of: { ...because_of } }),
    moved,
    ...(rule !== undefined && { rule }),
  };
}
