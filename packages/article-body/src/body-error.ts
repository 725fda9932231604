export type ArticleBodyErrorCode =
  | "body-too-long"
  | "body-too-deep"
  | "body-too-many-nodes"
  | "body-too-many-attributes"
  | "body-unstable"
  | "body-unsafe";

/**
 * A body that can't be turned into what spec 2.3 allows. The fault lies in the document: trying
 * again gives the same answer, so the crawler sets the article aside under `code`.
 */
export class ArticleBodyError extends Error {
  readonly code: ArticleBodyErrorCode;

  constructor(code: ArticleBodyErrorCode, message: string) {
    super(message);
    this.name = "ArticleBodyError";
    this.code = code;
  }
}
