import type { ConfigEntry, ConfigList, ConfigObject, ConfigValue } from './config-tree.js';
import type { SourceText } from './source-text.js';

const whitespace = /[ \t\r\n]+/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;
const quoted = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y;

/** Parses a JSON object (RFC 8259). The built-in parser reports no positions and drops repeated keys. */
export function parseJsonConfig(source: SourceText): ConfigObject {
  source.skip('\uFEFF');
  source.take(whitespace);
  if (source.peek() !== '{') source.fail(`expected {, found ${source.describeNext()}`);
  const root = readObject(source);
  source.take(whitespace);
  if (source.peek() !== '') source.fail(`unexpected ${source.describeNext()} behind the end`);
  return root;
}

function readObject(source: SourceText): ConfigObject {
  const at = source.position();
  const entries: ConfigEntry[] = [];
  readItems(source, '}', () => {
    const location = source.position();
    if (source.peek() !== '"') source.fail(`expected a key in quotes, found ${source.describeNext()}`);
    const key = readString(source);
    source.take(whitespace);
    if (!source.skip(':')) {
      source.fail(`expected : after ${JSON.stringify(key)}, found ${source.describeNext()}`);
    }
    source.take(whitespace);
    entries.push({ key, at: location, value: readValue(source) });
  });
  return { kind: 'object', entries, at };
}

function readList(source: SourceText): ConfigList {
  const at = source.position();
  const items: ConfigValue[] = [];
  readItems(source, ']', () => void items.push(readValue(source)));
  return { kind: 'list', items, at };
}

/** Reads comma-separated items in brackets; the opening bracket is the next character. */
function readItems(source: SourceText, end: '}' | ']', read: () => void): void {
  source.at += 1;
  source.nested(() => {
    source.take(whitespace);
    if (source.skip(end)) return;
    for (;;) {
      read();
      source.take(whitespace);
      if (source.skip(end)) return;
      if (!source.skip(',')) source.fail(`expected , or ${end}, found ${source.describeNext()}`);
      source.take(whitespace);
    }
  });
}

function readValue(source: SourceText): ConfigValue {
  const at = source.position();
  switch (source.peek()) {
    case '{':
      return readObject(source);
    case '[':
      return readList(source);
    case '"':
      return { kind: 'text', value: readString(source), at };
  }
  const digits = source.take(number);
  if (digits !== null) return { kind: 'number', value: Number(digits), text: digits, at };
  switch (source.take(word)) {
    case 'true':
      return { kind: 'bool', value: true, at };
    case 'false':
      return { kind: 'bool', value: false, at };
    case 'null':
      return { kind: 'null', at };
    default:
      return source.fail(`expected a value, found ${source.describeNext()}`);
  }
}

function readString(source: SourceText): string {
  const start = source.at;
  const written = source.take(quoted);
  if (written === null) return source.fail('this string has no closing quote on its line', start);
  try {
    return JSON.parse(written) as string;
  } catch {
    return source.fail('this string has an unknown escape or a control character', start);
  }
}
