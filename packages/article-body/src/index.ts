export { ArticleBodyError } from "./body-error.ts";
export type { ArticleBodyErrorCode } from "./body-error.ts";
export { cleanArticleHtml, collectPictureUrls, signStoredPictures } from "./clean-article.ts";
export type { CleanArticleOptions, CleanBody } from "./clean-article.ts";
export { assertAllowedHtml, findDisallowed } from "./find-disallowed.ts";
export type { BodyProblem } from "./tidy-body.ts";
export { toMarkdown } from "./to-markdown.ts";
export { makeExcerpt, makeSummary, summarise } from "./summarise.ts";
export type { SummaryInput } from "./summarise.ts";
