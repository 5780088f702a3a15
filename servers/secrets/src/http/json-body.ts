import type { Fields } from '../api/request.js';
import { SecretsError } from '../base/errors.js';
import type { ListenerLimits } from './limits.js';

/**
 * Reads a body: a JSON object whatever its content type says, or a form when it says so and does not look like JSON.
 * An empty one has no fields.
 *
 * @throws SecretsError `bad-request`, without a word of what was sent
 */
export function readFieldsOf(
  bytes: Buffer,
  contentType: string,
  limits: Pick<ListenerLimits, 'maxJsonDepth' | 'maxJsonEntries'>,
): Fields {
  const text = decode(bytes).trim();
  if (text === '') return noFields();
  const isForm = contentType.toLowerCase().startsWith('application/x-www-form-urlencoded');
  if (isForm && !/^[{[]/.test(text)) return formFields(text, Math.min(limits.maxJsonEntries, maxListLength));
  checkSize(text, limits);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SecretsError('bad-request', 'the body must be a JSON object');
  }
  return Object.assign(noFields(), value);
}

function noFields(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SecretsError('bad-request', 'error parsing JSON: the body is not UTF-8');
  }
}

/** The parser's own message quotes what it read, which may be a secret. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new SecretsError('bad-request', 'error parsing JSON');
  }
}

/** Most items of one list of a body. Stops small bodies that take long to work on. */
const maxListLength = 1_000;

/** Counts before anything is built: depth by brackets, entries by the commas and brackets outside of strings. */
function checkSize(text: string, { maxJsonDepth, maxJsonEntries }: Parameters<typeof readFieldsOf>[2]): void {
  let entries = 0;
  let isListLong = false;
  /** The commas in each value that is open; those of an object do not count. */
  const commas: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        commas.push(text[at] === '[' ? 0 : -Infinity);
        entries += 1;
        break;
      case 0x5d:
      case 0x7d:
        commas.pop();
        break;
      case 0x2c: {
        const count = (commas.pop() ?? -Infinity) + 1;
        isListLong ||= count >= maxListLength;
        commas.push(count);
        entries += 1;
      }
    }
    if (commas.length > maxJsonDepth)
      throw new SecretsError('bad-request', `JSON is nested deeper than ${maxJsonDepth}`);
    if (entries > maxJsonEntries) {
      throw new SecretsError('bad-request', `JSON has more than ${maxJsonEntries} keys and items`);
    }
  }
  if (isListLong) {
    throw new SecretsError('bad-request', `a list in JSON has more than ${maxListLength} items`);
  }
}

/** The offset of the closing quote; the end of the string without one, for the parser to complain about. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x5c) at += 1;
    else if (unit === 0x22) return at;
  }
  return text.length;
}

function formFields(text: string, max: number): Fields {
  // Counted before anything is built, as in JSON; an empty one counts too.
  if (text.split('&', max + 1).length > max)
    throw new SecretsError('bad-request', `the form has more than ${max} fields`);
  // A form may hold anything; what has no name with a value was meant for something else.
  if (!text.split('&').every((field) => field === '' || /^[^=]+=/.test(field)))
    throw new SecretsError('bad-request', 'the body is neither a JSON object nor a form of NAME=VALUE');
  return Object.assign(noFields(), Object.fromEntries(new URLSearchParams(text)));
}
