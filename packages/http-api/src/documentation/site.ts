import { contentsOf, type Group } from "./contents.ts";
import { layout } from "./layout.ts";
import { renderPage } from "./markdown.ts";
import { readAsset, readSiteFiles, type SiteFiles, type SourcePage } from "./site-files.ts";

/** The documentation as pages. */
export interface Site {
  /** HTML of the page at an address; undefined where there is none. Rendered once. */
  page(address: string): string | undefined;
  /** A picture or an example; undefined where there is none. */
  asset(address: string): Promise<{ readonly content: Buffer; readonly type: string } | undefined>;
  /** A page that no file holds, with the contents beside it. `html` is taken as it is. */
  around(page: { readonly title: string; readonly address: string; readonly html: string }): string;
}

/** Answers with the site, which is read when it is first asked for. Rejects, and tries again, when a file can't be read. */
export function createSite(): () => Promise<Site> {
  let reading: Promise<Site> | undefined;
  return () =>
    (reading ??= readSiteFiles()
      .then(siteOf)
      .catch((error: unknown) => {
        reading = undefined;
        throw error;
      }));
}

function siteOf(files: SiteFiles): Site {
  const contents = contentsOf(files);
  const pages = new Map([...files.pages.values()].map((page) => [page.address, page]));
  const assets = new Map([...files.assets].map(([file, address]) => [address, file]));
  const rendered = new Map<string, string>();
  return {
    page: (address) => {
      const known = rendered.get(address);
      const page = pages.get(address);
      if (known !== undefined || page === undefined) return known;
      const html = htmlOf(page, files, contents);
      rendered.set(address, html);
      return html;
    },
    asset: async (address) => {
      const file = assets.get(address);
      return file === undefined ? undefined : readAsset(file);
    },
    around: (page) => layout({ ...page, headings: [], contents }),
  };
}

function htmlOf(page: SourcePage, files: SiteFiles, contents: readonly Group[]): string {
  const { title, address } = page;
  return layout({ title, address, contents, ...renderPage(page, files) });
}
