import { measureParts } from "./measure-parts.ts";
import { measureArticles } from "./parts/articles.ts";
import { measureEvents } from "./parts/events.ts";
import { measureFeed } from "./parts/feed.ts";
import { measurePictures } from "./parts/pictures.ts";
import { measurePush } from "./parts/push.ts";
import { measurePushCost } from "./parts/push-cost.ts";
import { measureRebuild } from "./parts/rebuild.ts";
import { measureStart } from "./parts/start.ts";

await measureParts({
  feed: measureFeed,
  events: measureEvents,
  push: measurePush,
  "push-cost": measurePushCost,
  rebuild: measureRebuild,
  start: measureStart,
  articles: measureArticles,
  pictures: measurePictures,
});
