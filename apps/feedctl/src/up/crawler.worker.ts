import { runBehindOthers } from "@feed/runtime";
import { openCrawlerRole } from "../roles/crawler-role.ts";
import { serveRole } from "./role-worker.ts";

runBehindOthers();
await serveRole(openCrawlerRole);
