import { REFERENCE_ADDRESS } from "./markdown.ts";
import type { SiteFiles, SourcePage } from "./site-files.ts";

/** A line of the contents. */
export interface Entry {
  readonly title: string;
  readonly address: string;
}

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const REFERENCE: Entry = { title: "API reference", address: REFERENCE_ADDRESS };
const START = ["README", "quick-start", "concepts", "glossary"];
const BUILDING = ["endpoints", "errors", "limits", "examples/README"];
/** What an operator reads first; the others follow by title. */
const OPERATING = ["install-and-run", "admin-api", "command-line"];
const INSIDE = ["architecture", "benchmarks"];

/** Every page of the site once, in the order in which the contents list them. */
export function contentsOf({ pages }: SiteFiles): readonly Group[] {
  const named = (names: readonly string[], folder = "docs") =>
    names.flatMap((name) => pages.get(`${folder}/${name}.md`) ?? []);
  const within = (folder: string) =>
    [...pages.values()].filter(({ file }) => file.startsWith(`docs/${folder}/`));
  const client = pages.get("packages/client/README.md");
  const readme = pages.get("README.md");
  const groups: readonly Group[] = [
    { title: "Start", entries: named(START) },
    { title: "Recipes", entries: readmeFirst(within("recipes")) },
    {
      title: "Building on it",
      entries: [...(client === undefined ? [] : [client]), REFERENCE, ...named(BUILDING)],
    },
    {
      title: "Running it",
      entries: distinct([...named(OPERATING, "docs/operating"), ...byTitle(within("operating"))]),
    },
    { title: "Data", entries: readmeFirst(within("data")) },
    { title: "Inside", entries: [...named(INSIDE), ...(readme === undefined ? [] : [readme])] },
    { title: "Decisions", entries: readmeFirst(within("decisions")) },
  ];
  const listed = new Set(groups.flatMap(({ entries }) => entries));
  const others = [...pages.values()].filter((page) => !listed.has(page));
  return others.length === 0 ? groups : [...groups, { title: "More", entries: others }];
}

function readmeFirst(pages: readonly SourcePage[]): readonly SourcePage[] {
  const isReadme = ({ file }: SourcePage) => file.endsWith("/README.md");
  return [...pages.filter(isReadme), ...pages.filter((page) => !isReadme(page))];
}

function byTitle(pages: readonly SourcePage[]): readonly SourcePage[] {
  return pages.toSorted((one, other) => one.title.localeCompare(other.title, "en"));
}

function distinct(pages: readonly SourcePage[]): readonly SourcePage[] {
  return [...new Set(pages)];
}
