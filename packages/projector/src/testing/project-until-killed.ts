import { runProjector } from "../projector.ts";
import { clock, codec, log, openInstallation } from "./installation.ts";

/** Projects the installation in the directory given until it is killed; prints a line for each batch. */
const [, , directory = ""] = process.argv;
const installation = await openInstallation(directory);
const onBatch = () => process.stdout.write("batch\n");
const projector = await runProjector({ ...installation, codec, clock, log, onBatch });
await projector.failed;
