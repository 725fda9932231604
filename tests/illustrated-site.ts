import { serveSite, type HttpSite } from "@feed/test-kit/http-site";
import sharp from "sharp";

const TEXT = "The harbour was rebuilt in nine months. The first ferry left on Monday. ".repeat(9);
const PICTURE = { width: 1200, height: 630, channels: 3, background: "#336699" } as const;

/** A publisher on loopback whose feed `/feed` has one article with a picture. */
export async function serveIllustratedArticle(): Promise<HttpSite> {
  const site = await serveSite();
  site.on("/picture.png", { body: await sharp({ create: PICTURE }).png().toBuffer() });
  const head = '<meta property="og:image" content="/picture.png">';
  const body = `<html lang="en"><head>${head}</head><article><h1>Ferry</h1><p>${TEXT}</p></article></html>`;
  site.on("/ferry", { headers: { "content-type": "text/html" }, body });
  const item = { id: "ferry", url: `${site.origin}/ferry`, title: "News of the ferry" };
  const items = [{ ...item, date_published: new Date().toISOString() }];
  const version = "https://jsonfeed.org/version/1.1";
  site.on("/feed", { body: JSON.stringify({ version, title: "Harbour Daily", items }) });
  return site;
}
