/** Named in `analysedBy.quality`. */
export const QUALITY_VERSION = "quality-1";

export interface QualityInput {
  /** Text of the body, a line for each block. */
  readonly text: string;
  readonly title: string;
  readonly pictures: number;
  readonly hasAuthor: boolean;
}

/** Japanese says in one character about what takes English two and a half. */
const WIDE_CHARACTER_LENGTH = 2.5;
const FULL_LENGTH = 2_500;
const FULL_PARAGRAPHS = 5;
const WEIGHTS = {
  length: 0.45,
  structure: 0.2,
  sentences: 0.1,
  picture: 0.15,
  title: 0.05,
  author: 0.05,
};

/**
 * How much of an article this is, 0 to 1: length above all, then structure, a picture, a title, an
 * author.
 */
export function qualityOf({ text, title, pictures, hasAuthor }: QualityInput): number {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  const length = text.length + wide * (WIDE_CHARACTER_LENGTH - 1);
  const paragraphs = text === "" ? 0 : text.split("\n").length;
  const sentences = text.match(/[。！？.!?]/g)?.length ?? 0;
  return (
    WEIGHTS.length * Math.min(1, length / FULL_LENGTH) +
    WEIGHTS.structure * Math.min(1, paragraphs / FULL_PARAGRAPHS) +
    WEIGHTS.sentences * Math.min(1, sentences / FULL_PARAGRAPHS) +
    WEIGHTS.picture * Math.min(1, pictures) +
    WEIGHTS.title * (title.trim().length >= 5 ? 1 : 0) +
    WEIGHTS.author * (hasAuthor ? 1 : 0)
  );
}
