import { suggestNames } from '../diagnostics/suggest.js';
import { ParserFailure } from './failure.js';
import { isFieldName, isPlainName } from './literal.js';
import { sharedParser } from './parser.js';

// How fields are named in text: in filters, in the options of the command, in HTTP parameters and in declarations.

/** Maximum length of a name, in UTF-16 units: that of an HTTP parameter. Prevents long names from delaying other requests. */
const maxLength = 16_384;

/**
 * Returns the parts of a field name as filters read it: `Meta.owner` is nested, `["Meta.owner"]` is one name. Null if the text is
 * not a field name.
 */
export function parseFieldPath(text: string): readonly string[] | null {
  if (isPlainName(text)) return [text];
  if (text.length > maxLength) return null;
  try {
    return sharedParser().readSelector(text).path;
  } catch (error) {
    if (error instanceof ParserFailure) return null;
    throw error;
  }
}

/** As {@link parseFieldPath}; a text that is not a field name, such as `First Name`, is the name of one field. */
export function readFieldPath(text: string): readonly string[] {
  return parseFieldPath(text) ?? [text];
}

/**
 * Returns a field name in its canonical spelling: all spellings of a path have the same. A text that is not a field name is the
 * name of one field.
 */
export function canonicalFieldName(text: string): string {
  return isPlainName(text) ? text : fieldPathText(readFieldPath(text));
}

/** Returns the field name that an unknown one most likely means, of names as filters write them; undefined if none is similar. */
export function suggestFieldName(written: string, names: Iterable<string>): string | undefined {
  const byText = new Map([...names].map((name) => [plainText(name), name]));
  const [near = ''] = suggestNames(plainText(written), byText.keys(), 1);
  return byText.get(near);
}

/** Returns a name without brackets and quotes, for comparisons. */
function plainText(name: string): string {
  return readFieldPath(name).join('.');
}

/** Splits names at commas, except inside quotes, and removes blanks around them. */
export function splitFieldNames(text: string, separator = ','): readonly string[] {
  const names: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"' || character === '`') at = closingQuote(text, at, character);
    if (at < text.length && character !== separator) continue;
    names.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return names;
}

/** Returns the offset of the quote that ends a literal; the end of the text if none exists. */
function closingQuote(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote) return at;
    if (text[at] === '\\' && quote === '"') at += 1;
  }
  return text.length;
}

const digits = /^[0-9]+$/;

/** Returns a path as a field name, with brackets only around parts that need them in go-bexpr or cannot begin a selector. */
export function fieldPathText(path: readonly string[]): string {
  const [first, ...rest] = path;
  if (first === undefined) throw new TypeError('A selector must have at least one part, got none.');
  return (isFieldName(first) ? first : `[${quote(first)}]`) + rest.map(textOfPart).join('');
}

function textOfPart(part: string): string {
  return isPlainName(part) || digits.test(part) ? `.${part}` : `[${quote(part)}]`;
}

const special = /["\\\p{Cc}\u2028\u2029\ufeff]/gu;

const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A double-quoted literal. A quote becomes `\x22`: go-bexpr ends a literal at `\"`. */
export function quote(text: string): string {
  return `"${text.replace(special, escapeOne)}"`;
}

function escapeOne(character: string): string {
  const code = character.charCodeAt(0);
  const hex = (digitCount: number): string => code.toString(16).padStart(digitCount, '0');
  return escapes.get(character) ?? (code < 0x80 ? `\\x${hex(2)}` : `\\u${hex(4)}`);
}
