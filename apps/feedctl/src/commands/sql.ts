import { text } from "node:stream/consumers";
import { InvalidArgumentError, type Command } from "commander";
import { ConfigError } from "@feed/runtime";
import { operate, operatingCommand, type OperatingFlags } from "./operating.ts";

const TABLE_FORMAT = "PrettyCompactMonoBlock";
const JSON_FORMAT = "JSONEachRow";

interface SqlFlags extends OperatingFlags {
  readonly format?: string;
  readonly param: Readonly<Record<string, string>>;
}

/** `feedctl sql`: a SELECT over the activity store, read-only; docs/data/README.md. */
export function sqlCommand(dataDefault: string): Command {
  return operatingCommand("sql", "Query the tables of the activity store", dataDefault)
    .argument("[statement]", "one SELECT; absent: read from standard input")
    .option("--format <name>", "an output format of ClickHouse, such as CSVWithNames", formatName)
    .option("--param <name=value>", "value of {name:Type} in the statement", parameters, {})
    .action((statement: string | undefined, flags: SqlFlags) =>
      operate("sql", flags, async (installation) => {
        const sql = statement ?? (await text(process.stdin));
        if (sql.trim() === "") throw new ConfigError(["there is no statement to run"]);
        const format = flags.format ?? (flags.json ? JSON_FORMAT : TABLE_FORMAT);
        const { querySql } = await import("../sql-role.ts");
        const query = { sql, parameters: flags.param, format };
        const answer = await querySql(installation, query);
        if (answer !== "") console.log(answer.replace(/\n$/, ""));
        return "well";
      }),
    );
}

function formatName(name: string): string {
  if (!/^[A-Za-z]\w*$/.test(name)) throw new InvalidArgumentError("not the name of a format");
  return name;
}

function parameters(text: string, known: Readonly<Record<string, string>>) {
  const [, name, value = ""] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("not name=value");
  return { ...known, [name]: value };
}
