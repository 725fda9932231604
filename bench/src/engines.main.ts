import { existsSync } from "node:fs";
import { join } from "node:path";
import { removeInstallations } from "./engines/installation.ts";
import { measurePushOnEngines } from "./engines/push.ts";
import { measureServing } from "./engines/serving.ts";
import { measureParts } from "./measure-parts.ts";

/** Where `make engines` says what it started; what the caller sets goes before. */
const ADDRESSES = join(import.meta.dirname, "../../.engines/env");

if (existsSync(ADDRESSES)) process.loadEnvFile(ADDRESSES);
await measureParts({ serving: measureServing, push: measurePushOnEngines }, removeInstallations);
