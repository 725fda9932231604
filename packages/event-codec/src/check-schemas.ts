import { readSchemaFolder } from "./bundled.ts";
import { checkCompatibility } from "./compatibility.ts";

const violations = checkCompatibility(readSchemaFolder());
for (const violation of violations) process.stderr.write(`${violation}\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
