import { runBehindOthers } from "@feed/runtime";
import { openProjectorRole, type ProjectorRoleData } from "../roles/projector-role.ts";
import { serveRole } from "./role-worker.ts";

await serveRole<ProjectorRoleData>((data, post) => {
  // What is counted may wait for what the next feed is made of.
  if (data.keeps === "activity") runBehindOthers();
  return openProjectorRole(data, post);
});
