import { openPushRole } from "../roles/push-role.ts";
import { serveRole } from "./role-worker.ts";

await serveRole(openPushRole);
