import { keepCompiledCode } from "./compiled-code.ts";
import { reportFailure } from "./failure.ts";
import { feedctlProgram } from "./program.ts";

keepCompiledCode();

try {
  await feedctlProgram(process.env).parseAsync();
  // Everything has been closed; a handle that a library forgot must not hold the process.
  process.exit();
} catch (error) {
  process.exit(reportFailure(error));
}
