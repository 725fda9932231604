/** Adds up the result files of the test runs; prints what failed, and the closing line of the gate. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, failedSteps] = process.argv.slice(2);
const hasFailed = ({ status }) => status === "failed";
let passed = 0;
let failed = 0;
for (const name of readdirSync(folder)) {
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
    readFileSync(join(folder, name), "utf8"),
  );
  passed += numPassedTests;
  // A file that could not be loaded has no failed test of its own.
  failed += Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
  for (const { name: file, message, assertionResults } of testResults.filter(hasFailed)) {
    if (message) console.log(`${file}: ${message}`);
    for (const { fullName, failureMessages } of assertionResults.filter(hasFailed))
      console.log(`${file}: ${fullName}\n  ${failureMessages.join("\n  ")}`);
  }
}
// A check that failed, or a run that wrote no results, is a failure too.
if (failedSteps !== "0" && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
