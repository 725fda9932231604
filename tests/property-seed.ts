import { configureGlobal } from "fast-check";

/** Any whole number: others draw other values. */
const SEED = 20_261_122;

// A test that is red was not drawn so by chance, and is red again; other seeds look for what this one does not find.
configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? SEED) });
