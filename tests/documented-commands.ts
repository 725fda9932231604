/** A shell block that no test runs as printed, by the page and how it begins. */
export interface NotRun {
  readonly page: string;
  readonly begins: string;
  readonly reason: string;
}

/** Pages whose other shell blocks another test runs as printed, by the file of that test. */
export const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  "docs/quick-start.md": "tests/recipes.test.ts",
  "docs/operating/admin-api.md": "tests/recipes.test.ts",
  "docs/operating/command-line.md": "tests/command-line.test.ts",
  "docs/recipes/README.md": "tests/recipes.test.ts",
  "docs/recipes/clicks.md": "tests/recipes.test.ts",
  "docs/recipes/infinite-scroll.md": "tests/recipes.test.ts",
  "docs/recipes/licensed-bodies.md": "tests/recipes.test.ts",
  "docs/recipes/proxy.md": "tests/recipes.test.ts",
  "docs/recipes/push.md": "tests/recipes.test.ts",
  "docs/recipes/win-back.md": "tests/recipes.test.ts",
};

const STARTS_ENGINES = "needs the engines outside, which `make test-engines` has";
const NEEDS_DOCKER = "needs a container runtime; tests/compose.test.ts reads the files it takes";
const ASKS_PUBLISHER =
  "asks a publisher on the internet; the tests of sources have publishers of their own";
const IS_MAKE_RUN =
  "installs, and starts the demo on its fixed port; tests/demo-service.ts starts the same on a free one";

const NEEDS_PROVIDER =
  "needs an identity provider that knows the installation, as packages/http-api/src/openid.test.ts has one";

export const NOT_RUN: readonly NotRun[] = [
  { page: "README.md", begins: "make run", reason: IS_MAKE_RUN },
  { page: "README.md", begins: "make test", reason: "is what runs this test" },
  { page: "docs/quick-start.md", begins: "make run", reason: IS_MAKE_RUN },
  { page: "docs/benchmarks.md", begins: "make bench", reason: "measures for ten minutes" },
  {
    page: "docs/operating/admin-api.md",
    begins: 'curl -s -X POST "$base/admin/v1/sources"',
    reason: ASKS_PUBLISHER,
  },
  { page: "docs/operating/people.md", begins: "export PUBLIC_URL=", reason: NEEDS_PROVIDER },
  {
    page: "docs/operating/people.md",
    begins: 'curl -s "$base/admin/v1/session/options"',
    reason: NEEDS_PROVIDER,
  },
  {
    page: "docs/operating/sources.md",
    begins: "npm run feedctl -- sources add",
    reason: ASKS_PUBLISHER,
  },
  {
    page: "docs/operating/compose.md",
    begins: "docker compose -f docker-compose.embedded.yml up",
    reason: NEEDS_DOCKER,
  },
  { page: "docs/operating/compose.md", begins: "docker compose up --build", reason: NEEDS_DOCKER },
  { page: "docs/operating/compose.md", begins: "docker compose up --detach", reason: NEEDS_DOCKER },
  { page: "docs/operating/compose.md", begins: "docker compose --profile", reason: NEEDS_DOCKER },
  {
    page: "docs/operating/embedding-models.md",
    begins: "make onnx",
    reason: "installs 100 MB, and needs a model that has been downloaded",
  },
  { page: "docs/operating/engines.md", begins: "make engines", reason: STARTS_ENGINES },
  {
    page: "docs/operating/install-and-run.md",
    begins: "npm ci",
    reason: "installs what this test runs in; its start is that of the README",
  },
  {
    page: "docs/operating/move-to-a-cluster.md",
    begins: "export OBJECT_STORE=",
    reason: `${STARTS_ENGINES}: tests/move-to-a-cluster.engines.test.ts`,
  },
  {
    page: "docs/operating/outside-engines.md",
    begins: "npm run --silent feedctl -- projector",
    reason: `${STARTS_ENGINES}: tests/roles.engines.test.ts`,
  },
  {
    page: "docs/operating/webhooks.md",
    begins: "npm run feedctl -- listen",
    reason: "runs until it is stopped: apps/feedctl/src/commands/webhooks.test.ts stops it",
  },
];

/** Blocks that start the service: the test's own is started with the environment and the flags of all of them. */
export const STARTS: readonly (readonly [page: string, begins: string])[] = [
  ["README.md", "npm start -- --port 9000 --data .data --no-demo"],
  ["docs/data/README.md", "DATA_TEAM_ENDPOINT="],
  ["docs/operating/traces.md", "OTEL_EXPORTER_OTLP_ENDPOINT="],
];

/** How a page's blocks are run. */
export interface RunHere {
  /** While the service runs, or after it has been stopped. */
  readonly service?: "stopped";
  /** Shell code in front: what the page takes for granted. */
  readonly given?: string;
  /** What stands for something that only the reader has. Each must be there. */
  readonly replace?: readonly (readonly [printed: string, run: string])[];
  /** What is printed. */
  readonly prints: RegExp;
}

/** A command that ends with 1 because it found something. */
const found = (command: string): readonly [string, string] => [command, `finds ${command}`];
const feedctl = "npm run --silent feedctl --";

/** Pages whose blocks are run here as printed, in this order. */
export const RUN_HERE: ReadonlyMap<string, RunHere> = new Map([
  ["docs/operating/import-articles.md", { prints: /2 articles published, 0 unchanged, 0 refused/ }],
  ["README.md", { prints: /"explanation"/ }],
  ["docs/data/README.md", { replace: [["http://127.0.0.1:8124/", "$data_team/"]], prints: /^2$/m }],
  ["docs/data/queries.md", { prints: /click/ }],
  ["docs/examples/README.md", { prints: /Harbour bridge opens/ }],
  ["docs/operating/lag.md", { prints: /projector\.read-state\.users/ }],
  [
    "docs/operating/people.md",
    {
      given: `person_of() { curl -s "$base/admin/v1/people" -H "Authorization: Bearer $admin" |
  node -p 'JSON.parse(fs.readFileSync(0)).data.find(({ email }) => email === "editor@example.com").person_id'; }`,
      replace: [
        [
          "admin create --email ops@example.com",
          "admin create --email ops@example.com | tee made.txt",
        ],
        ["$person_id", "$(person_of)"],
        ["…", `'"$(sed -n 3p made.txt)"'`],
      ],
      prints: /ops@example\.com can sign in as operator[\s\S]*"sign_in_url"|"url"/,
    },
  ],
  ["docs/operating/reanalyse.md", { prints: /articles/ }],
  [
    "docs/operating/dead-letters.md",
    {
      replace: [found(`${feedctl} dead-letters list`), found(`${feedctl} dead-letters replay 0`)],
      prints: /^0: \S+ refuses it still[\s\S]*^0: discarded$/m,
    },
  ],
  [
    "docs/operating/sources.md",
    {
      given: `content_id=$(curl -s "$base/admin/v1/tenants/acme/contents" -H "Authorization: Bearer $admin" |
  node -p 'JSON.parse(fs.readFileSync(0)).data[0].content.id')`,
      replace: [["news-example-com", "acme-times"]],
      prints: /Acme Times/,
    },
  ],
  [
    "docs/operating/webhooks.md",
    {
      given: `npm run feedctl -- webhooks set demo "$receiver"
message() { curl -s "$base/admin/v1/tenants/acme/webhook/deliveries" -H "Authorization: Bearer $admin" |
  node -p 'JSON.parse(fs.readFileSync(0)).data[0].delivery_id'; }`,
      replace: [
        ["https://acme.example/hooks/feed", "$receiver"],
        ["msg_0123456789abcdef0123456789", "$(message)"],
      ],
      prints: /whsec_/,
    },
  ],
  ["docs/operating/deleting-a-user.md", { prints: /^204$/m }],
  ["docs/operating/verify.md", { prints: /^read-state\.users/m }],
  ["docs/operating/rebuild.md", { prints: /^live: version 2 \(before: 1\)/m }],
  ["docs/operating/replay.md", { service: "stopped", prints: /content-index: \d+ records of/ }],
]);
