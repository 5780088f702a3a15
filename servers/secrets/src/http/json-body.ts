import type { Fields } from '../api/request.js';
import { badRequest } from '../base/errors.js';
import type { ListenerLimits } from './limits.js';

/**
 * Parses a body as a JSON object, whatever its content type. If it is declared as a form and does not look like JSON, it is
 * parsed as a form. An empty body has no fields.
 *
 * @throws SecretsError `bad-request`, without quoting the body
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
    throw badRequest('the body must be a JSON object');
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
    throw badRequest('error parsing JSON: the body is not UTF-8');
  }
}

/** Parses JSON. Replaces the message of the parser, which quotes its input, because that may be a secret. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('error parsing JSON');
  }
}

/** Maximum items of a list in a body. Prevents small bodies that are slow to process. */
const maxListLength = 1_000;

/**
 * Checks the limits before parsing. Brackets outside of strings count for the depth; brackets and commas count for the entries.
 */
function checkSize(text: string, { maxJsonDepth, maxJsonEntries }: Parameters<typeof readFieldsOf>[2]): void {
  let entries = 0;
  let isListLong = false;
  /** Number of commas in each open value. Commas of objects do not count. */
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
    if (commas.length > maxJsonDepth) throw badRequest(`JSON is nested deeper than ${maxJsonDepth}`);
    if (entries > maxJsonEntries) throw badRequest(`JSON has more than ${maxJsonEntries} keys and items`);
  }
  if (isListLong) throw badRequest(`a list in JSON has more than ${maxListLength} items`);
}

/** Returns the offset of the closing quote. Returns the end of the text if it is missing, which the parser reports later. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x5c) at += 1;
    else if (unit === 0x22) return at;
  }
  return text.length;
}

function formFields(text: string, max: number): Fields {
  // Fields are counted before parsing, as in JSON; empty ones count too.
  if (text.split('&', max + 1).length > max) throw badRequest(`the form has more than ${max} fields`);
  // If a field lacks a name or a value, the body was not meant as a form.
  if (!text.split('&').every((field) => field === '' || /^[^=]+=/.test(field)))
    throw badRequest('the body is neither a JSON object nor a form of NAME=VALUE');
  return Object.assign(noFields(), Object.fromEntries(new URLSearchParams(text)));
}
