/**
 * Sizes of measured parts. Rows never change, and a new row shares most parts with the previous one. So a write that changes one
 * field need not measure all parts again.
 */
const sizes = new WeakMap<object, number>();

/** Minimum size of a part whose size is cached, in bytes. */
const worthRemembering = 512;

/** Returns the size of a value as JSON, in bytes. The value must not be changed afterwards. */
export function jsonSize(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return textSize(value);
    case 'number':
      return Number.isFinite(value) ? String(value).length : 4;
    case 'bigint':
      return String(value).length;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      return value === null ? 4 : objectSize(value);
    default:
      return 0;
  }
}

function objectSize(value: object): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = Array.isArray(value) ? listSize(value) : fieldsSize(value);
  if (size >= worthRemembering) sizes.set(value, size);
  return size;
}

function listSize(items: readonly unknown[]): number {
  let size = Math.max(items.length + 1, 2);
  for (const item of items) size += jsonSize(item);
  return size;
}

function fieldsSize(row: object): number {
  let size = 1;
  for (const name in row) {
    const field = (row as Readonly<Record<string, unknown>>)[name];
    // A quoted name, its colon, and a comma or the brace.
    if (field !== undefined) size += textSize(name) + jsonSize(field) + 2;
  }
  return Math.max(size, 2);
}

/** Matches characters that take one byte and are not escaped. */
const plain = /^[ !#-[\]-~]*$/;

function textSize(text: string): number {
  return plain.test(text) ? text.length + 2 : utf8Length(JSON.stringify(text));
}

/** Returns the UTF-8 size of a string in bytes. JSON escapes lone surrogates, so the remaining ones are pairs of four bytes. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    length += code < 0x800 || (code & 0xf800) === 0xd800 ? 1 : 2;
  }
  return length;
}
