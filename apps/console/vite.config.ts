import { join } from "node:path";
import { defineConfig } from "vite";

/** Builds the page into dist: static files, hashed but for index.html, and nothing inline. */
export default defineConfig({
  root: join(import.meta.dirname, "page"),
  base: "/console/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ["chrome123", "firefox125", "safari17.5"],
    reportCompressedSize: false,
  },
});
