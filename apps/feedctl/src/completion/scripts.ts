import type { Place } from "./places.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** For each shell the script that completes `feedctl`. It holds all it needs: completing starts no process. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash,
  zsh,
  fish,
};

function bash(places: readonly Place[]): string {
  return `_feedctl() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" place="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place/\${COMP_WORDS[i]}" in
      ${commandPaths(places)}) place="$place/\${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$place $previous" in
${valuesAt(places, (value) => (value === "directory" ? "compopt -o dirnames" : replying(value)))}
  esac
  case "$place" in
${places.map(({ path, words }) => `    "${path}") ${replying(words.map(({ text }) => text))} ;;`).join("\n")}
  esac
}
complete -o bashdefault -o default -F _feedctl feedctl`;
}

function replying(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$word"))`;
}

function zsh(places: readonly Place[]): string {
  const described = ({ path, words }: Place) => {
    const entries = words.map(({ text, description }) => quoted(`${text}:${description}`));
    return `    ("${path}") entries=(${entries.join(" ")}) ;;`;
  };
  return `#compdef feedctl
_feedctl() {
  local place="" i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    case "$place/\${words[i]}" in
      (${commandPaths(places)}) place="$place/\${words[i]}" ;;
    esac
  done
  case "$place \${words[CURRENT - 1]}" in
${valuesAt(places, (value) => (value === "directory" ? "_files -/" : `compadd -- ${value.join(" ")}`), "(")}
  esac
  case "$place" in
${places.map(described).join("\n")}
  esac
  _describe feedctl entries || _files
}
compdef _feedctl feedctl`;
}

/** What follows an option that takes a value; of one that can be anything the shell offers files. */
function valuesAt(
  places: readonly Place[],
  complete: (value: readonly string[] | "directory") => string,
  open = "",
): string {
  return places
    .flatMap(({ path, words }) =>
      words.flatMap(({ text, value }) => {
        if (value === undefined) return [];
        const reply = value === "any" ? ":" : complete(value);
        return [`    ${open}"${path} ${text}") ${reply}; return ;;`];
      }),
    )
    .join("\n");
}

function commandPaths(places: readonly Place[]): string {
  return places.flatMap(({ path }) => (path === "" ? [] : [`"${path}"`])).join(" | ");
}

function fish(places: readonly Place[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [path]));
  const lines = places.flatMap(({ path, words }) =>
    words.map(({ text, description, value }) => {
      const at = `complete -c feedctl -n ${quoted(`test "$(__feedctl_place)" = "${path}"`)}`;
      const about = `-d ${quoted(description)}`;
      if (!text.startsWith("--")) return `${at} -f -a ${quoted(text)} ${about}`;
      return `${at} -l ${text.slice(2)} ${fishValue(value)}${about}`;
    }),
  );
  return `function __feedctl_place
  set -l place ""
  for token in (commandline -opc)[2..-1]
    switch "$place/$token"
      case ${paths.join(" ")}
        set place "$place/$token"
    end
  end
  echo -n "$place"
end
${lines.join("\n")}`;
}

function fishValue(value: readonly string[] | "directory" | "any" | undefined): string {
  if (value === undefined) return "-f ";
  if (value === "any") return "-r ";
  if (value === "directory") return '-r -f -a "(__fish_complete_directories)" ';
  return `-r -f -a ${quoted(value.join(" "))} `;
}

/** In single quotes, as these shells have them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
