import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { limitRows, problemSections } from "./reference-pages.ts";

/** Goal: the pages of reference say what the service does. Method: each is compared with what the service is made of. */
const textOf = (page: string) =>
  readFileSync(resolve(import.meta.dirname, "../docs", page), "utf8");

/** Rows of a page's tables, without heads and rules, each as its cells. */
const rowsOf = (page: string) =>
  [...textOf(page).matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = ""]) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([first = ""]) => !/^-|^limit$/.test(first));

describe("docs/errors.md", () => {
  it("has a section, and so an anchor, for every type of problem, and no other", () => {
    const sections = textOf("errors.md")
      .split(/^(?=## )/m)
      .slice(1)
      .map(inOneLine);
    expect(sections).toEqual(problemSections().map(inOneLine));
  });
});

describe("docs/limits.md", () => {
  it("names every limit once, with the value it has", () => {
    const rows = rowsOf("limits.md").map(([, value, name = ""]) => [name.slice(1, -1), value]);
    expect(rows.toSorted()).toEqual([...limitRows()].toSorted());
  });
});

/** Lines may be broken elsewhere. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
