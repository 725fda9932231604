import { JSON_DEPTH_MAX } from "@feed/domain/limits";
import type { Fault } from "./problem.ts";

/** What JSON.parse lets pass: the first fault, and how many values the text holds. */
export interface JsonInspection {
  readonly fault: Fault | undefined;
  readonly values: number;
}

/** An object or array that is open. */
interface Frame {
  /** Names seen so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** Name or index of the member being read. */
  member: string | number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
/** No number of fewer characters without an exponent exceeds a double. */
const PLAIN_NUMBER_CHARS_MAX = 300;

/**
 * Looks for what JSON.parse accepts and the service does not: duplicate names, `__proto__` and
 * `constructor.prototype`, nesting over JSON_DEPTH_MAX, lone surrogates, NUL, numbers beyond a double.
 *
 * @param text must be JSON that JSON.parse accepts; otherwise the result means nothing.
 */
export function inspectJson(text: string): JsonInspection {
  return new Inspection(text).run();
}

class Inspection {
  readonly #text: string;
  readonly #hasEscapes: boolean;
  readonly #frames: Frame[] = [];
  #position = 0;
  #values = 0;
  #expectsName = false;

  constructor(text: string) {
    this.#text = text;
    this.#hasEscapes = text.includes("\\u");
  }

  run(): JsonInspection {
    let fault: Fault | undefined;
    while (fault === undefined && this.#position < this.#text.length) fault = this.#step();
    return { fault, values: this.#values };
  }

  #step(): Fault | undefined {
    const code = this.#text.charCodeAt(this.#position);
    switch (code) {
      case QUOTE:
        return this.#string();
      case OPEN_BRACE:
        return this.#open({ names: new Set(), member: "" });
      case OPEN_BRACKET:
        return this.#open({ names: undefined, member: 0 });
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.#frames.pop();
        this.#expectsName = false;
        this.#position += 1;
        return undefined;
      case COMMA:
        this.#comma();
        return undefined;
      default:
        if (code === COLON || code <= SPACE) {
          this.#position += 1;
          return undefined;
        }
        return this.#bare();
    }
  }

  #open(frame: Frame): Fault | undefined {
    this.#values += 1;
    if (this.#frames.length >= JSON_DEPTH_MAX) {
      return this.#fault(`is nested deeper than ${JSON_DEPTH_MAX}`);
    }
    this.#frames.push(frame);
    this.#expectsName = frame.names !== undefined;
    this.#position += 1;
    return undefined;
  }

  #comma(): void {
    const frame = this.#frames.at(-1);
    if (frame?.names !== undefined) this.#expectsName = true;
    else if (typeof frame?.member === "number") frame.member += 1;
    this.#position += 1;
  }

  #string(): Fault | undefined {
    const start = this.#position;
    const end = this.#endOfString(start);
    this.#position = end;
    const frame = this.#frames.at(-1);
    const isName = this.#expectsName && frame?.names !== undefined;
    if (!isName) this.#values += 1;
    const raw = this.#text.slice(start + 1, end - 1);
    const value = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
    if (isName) {
      this.#expectsName = false;
      const fault = this.#name(frame, value);
      if (fault !== undefined) return fault;
    }
    if (!this.#hasEscapes) return undefined;
    if (!value.isWellFormed()) return this.#fault("holds a lone surrogate");
    return value.includes("\0") ? this.#fault("holds the character NUL") : undefined;
  }

  #name(frame: Frame, name: string): Fault | undefined {
    const parent = this.#frames.at(-2)?.member;
    const isDuplicate = frame.names?.has(name) === true;
    frame.names?.add(name);
    frame.member = name;
    if (isDuplicate) return this.#fault("is given twice");
    const isPrototype = name === "__proto__" || (name === "prototype" && parent === "constructor");
    return isPrototype ? this.#fault("is not a name that can be used") : undefined;
  }

  /** One after the closing quote. */
  #endOfString(start: number): number {
    let end = this.#text.indexOf('"', start + 1);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    return end + 1;
  }

  #isEscaped(position: number): boolean {
    let backslashes = 0;
    while (this.#text.charCodeAt(position - 1 - backslashes) === BACKSLASH) backslashes += 1;
    return backslashes % 2 === 1;
  }

  /** A number, true, false or null. */
  #bare(): Fault | undefined {
    const start = this.#position;
    let end = start + 1;
    while (end < this.#text.length && !isDelimiter(this.#text.charCodeAt(end))) end += 1;
    this.#position = end;
    this.#values += 1;
    const token = this.#text.slice(start, end);
    const mayOverflow = token.length > PLAIN_NUMBER_CHARS_MAX || /^[-\d].*[eE]/.test(token);
    return mayOverflow && !Number.isFinite(Number(token))
      ? this.#fault("is a number beyond a double")
      : undefined;
  }

  #fault(detail: string): Fault {
    const steps = this.#frames.map(({ member }) => `/${escapePointer(`${member}`)}`);
    return { pointer: steps.join(""), detail };
  }
}

function isDelimiter(code: number): boolean {
  return code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE;
}

/** A name as a step of a JSON Pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1").toWellFormed();
}
