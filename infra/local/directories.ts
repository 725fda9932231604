import { resolve } from "node:path";

export const REPOSITORY = resolve(import.meta.dirname, "../..");
/** Programs, data, logs and process ids of the engines of this checkout. */
export const ENGINES_DIRECTORY = resolve(REPOSITORY, ".engines");
