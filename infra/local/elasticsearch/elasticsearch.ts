import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answers, HOST, type Engine, type EnginePlace } from "../engine.ts";
import { JAVA, javaFlags } from "../java.ts";
import { install, recipe } from "./install.ts";

const HEAP_MB = 640;

export const elasticsearch: Engine = {
  name: "elasticsearch",
  usualPorts: { main: 9200, transport: 9300 },
  stamp: await recipe(),
  install,

  async prepare({ program, data, scratch, ports }) {
    const temporary = join(scratch, "temporary");
    mkdirSync(temporary);
    const own = [
      `http.port: ${ports["main"]}`,
      `transport.port: ${ports["transport"]}`,
      `path.data: ${data}`,
      `path.logs: ${scratch}`,
    ];
    const configuration = readFileSync(join(import.meta.dirname, "elasticsearch.yml"), "utf8");
    writeFileSync(join(scratch, "elasticsearch.yml"), `${configuration}${own.join("\n")}\n`);
    const logging = "log4j2.properties";
    copyFileSync(join(import.meta.dirname, logging), join(scratch, logging));
    const home = join(program, "home");
    return {
      program: JAVA,
      args: [
        ...javaFlags(HEAP_MB),
        "--enable-native-access=ALL-UNNAMED",
        `-Djava.io.tmpdir=${temporary}`,
        "-Djava.locale.providers=CLDR,SPI",
        `-Des.path.home=${home}`,
        "-cp",
        `${home}/lib/*:${join(program, "classes")}`,
        "feed.local.Main",
        home,
        scratch,
      ],
    };
  },

  isReady: (place) => answers(`${urlOf(place)}/_cluster/health?wait_for_status=yellow&timeout=3s`),

  variables: (place) => ({ CONTENT_INDEX: `elasticsearch+${urlOf(place)}` }),
};

function urlOf({ ports }: EnginePlace): string {
  return `http://${HOST}:${ports["main"]}`;
}
