export type { FeedDependencies, PictureAddresses } from "./dependencies.ts";
export { createFeedService } from "./open.ts";
export type * from "./service.ts";
