import { resolve } from "node:path";
import { asId, type TenantId } from "@feed/domain/ids";
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from "@feed/domain/limits";
import { ROLES, type Role } from "@feed/domain/people";
import { EmailTaken, signInUrl } from "@feed/http-api/people/people-desk";
import { newPassword } from "@feed/http-api/people/password";
import { ConfigError } from "@feed/runtime";
import type { PersonEntry } from "@feed/tenant-directory";
import { Command, Option } from "commander";
import type { PeopleRole } from "../people-role.ts";
import { publicUrlOf, readInstallationSettings } from "../settings.ts";
import { installationOfCommand } from "./installation-of-command.ts";
import { askPassword, readPassword } from "./ask-password.ts";

interface AdminFlags {
  readonly data: string;
  readonly json: boolean;
}

interface CreateFlags extends AdminFlags {
  readonly email: string;
  readonly name?: string;
  readonly role: Role;
  readonly tenant?: string;
  readonly passwordStdin: boolean;
}

interface LinkFlags extends AdminFlags {
  readonly email: string;
  readonly address: string;
}

/** `feedctl admin …`: the first operator, and people who can't sign in; docs/operating/people.md. */
export function adminCommand(dataDefault: string, portDefault: number): Command {
  const admin = new Command("admin").description("Add people who sign in, and let them in again");
  const common = (command: Command): Command =>
    command
      .option("--data <directory>", "data directory of the installation", dataDefault)
      .option("--json", "print the result as JSON", false);
  admin.addCommand(
    common(new Command("create"))
      .description("Add a person; without a password given, one is made and shown once")
      .requiredOption("--email <address>", "e-mail address to sign in with")
      .option("--name <name>", "what the person is called; the address when left out")
      .addOption(
        new Option("--role <role>", "what the person is").choices(ROLES).default("operator"),
      )
      .option("--tenant <id>", "tenant the person belongs to; every role but operator has one")
      .option("--password-stdin", "take the password from the first line of standard input", false)
      .action((flags: CreateFlags) => withPeople(flags, (role) => create(role, flags))),
  );
  admin.addCommand(
    common(new Command("link"))
      .description("Make a link by which a person signs in once, within 24 hours")
      .requiredOption("--email <address>", "e-mail address of the person")
      .option("--address <url>", "where the service is reached", `http://127.0.0.1:${portDefault}`)
      .action((flags: LinkFlags) => withPeople(flags, (role) => link(role, flags))),
  );
  admin.addCommand(
    common(new Command("list"))
      .description("List the people who sign in")
      .action((flags: AdminFlags) => withPeople(flags, (role) => list(role, flags))),
  );
  return admin;
}

async function create(role: PeopleRole, flags: CreateFlags): Promise<void> {
  const tenantId = flags.tenant === undefined ? null : asId<TenantId>(flags.tenant);
  if ((flags.role === "operator") !== (tenantId === null))
    throw new ConfigError(["an operator has no --tenant, and everybody else has one"]);
  if (tenantId !== null && role.directory.tenant(tenantId) === undefined)
    throw new ConfigError([`there is no tenant ${tenantId}`]);
  if (!/^[^@\s]+@[^@\s]+$/.test(flags.email)) throw new ConfigError(["--email is no address"]);
  const given = await passwordOf(flags);
  const password = given === "" ? newPassword() : given;
  const { email, name = email, role: personRole } = flags;
  const added = await role.people
    .add({ email, name, role: personRole, tenantId }, role.stamp())
    .catch((error: unknown) => {
      if (!(error instanceof EmailTaken)) throw error;
      throw new ConfigError([`somebody has the address ${email} already`]);
    });
  const { personId } = added.person;
  await role.people.setPassword(personId, password, role.stamp());
  if (flags.json) {
    const made = given === "" ? { password } : {};
    console.log(JSON.stringify({ person_id: personId, email, ...made }));
    return;
  }
  console.log(`${email} can sign in as ${personRole}.`);
  if (given === "") console.log(`\n${password}\n\nThe password is not shown again.`);
}

/** Empty: one is to be made. */
async function passwordOf({ passwordStdin }: CreateFlags): Promise<string> {
  if (!passwordStdin && process.stdin.isTTY !== true) return "";
  const password = passwordStdin
    ? await readPassword()
    : await askPassword("Password (empty: one is made): ");
  if (password === "" && !passwordStdin) return "";
  if (password.length < PASSWORD_CHARS_MIN || password.length > PASSWORD_CHARS_MAX)
    throw new ConfigError([
      `a password has ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters`,
    ]);
  return password;
}

async function link(role: PeopleRole, { email, address, json }: LinkFlags): Promise<void> {
  const entry = role.people.find(email);
  if (entry === undefined) throw new ConfigError([`nobody has the address ${email}`]);
  const { token } = await role.people.makeLink(entry.person.personId, role.stamp());
  const { publicUrl = address } = publicUrlOf(readInstallationSettings(process.env));
  const url = signInUrl(publicUrl.replace(/\/+$/, ""), token);
  console.log(json ? JSON.stringify({ url }) : `${url}\n\nIt works once, for 24 hours.`);
}

async function list({ directory, people }: PeopleRole, { json }: AdminFlags): Promise<void> {
  const shown = directory
    .people()
    .map((entry) => summaryOf(entry, people.profile(entry.person).email));
  if (json) console.log(JSON.stringify(shown));
  else
    for (const { email, role, tenant_id, status } of shown)
      console.log([email, role, tenant_id ?? "-", status].join("  "));
}

function summaryOf({ person }: PersonEntry, email: string) {
  const { personId, role, tenantId, status } = person;
  return { person_id: personId, email, role, tenant_id: tenantId, status };
}

async function withPeople(
  { data }: AdminFlags,
  work: (role: PeopleRole) => Promise<void>,
): Promise<void> {
  const { openPeople } = await import("../people-role.ts");
  const config = readInstallationSettings(process.env);
  await using role = await openPeople(
    installationOfCommand(resolve(data), config),
    config.logLevel,
  );
  await work(role);
}
