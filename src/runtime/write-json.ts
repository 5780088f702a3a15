/**
 * Returns a value as JSON: bigints as digits, `undefined` fields omitted. With `indent`, each level has its own lines, indented
 * from level `depth`. As fast as JSON.stringify, which does not support bigints.
 */
export function writeJson(value: unknown, indent = 0, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'bigint':
      return `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value, indent, depth) : writeObject(value, indent, depth);
    default:
      return 'null';
  }
}

/** Matches printable ASCII without quotes and backslashes, which needs no escapes. The test is cheap. */
const plain = /^[ !#-[\]-~]*$/;
/** Minimum length of a string from which JSON.stringify is as fast. */
const shortText = 64;

function writeString(text: string): string {
  return text.length < shortText && plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Cache of quoted field names: the same few hundred occur again and again. */
const writtenNames = new Map<string, string>();
/** Maximum number of cached names. Prevents maps with generated keys from filling the memory. */
const maxWrittenNames = 4_096;

function writeName(name: string): string {
  const known = writtenNames.get(name);
  if (known !== undefined) return known;
  const written = `${writeString(name)}:`;
  if (writtenNames.size < maxWrittenNames && name.length < shortText) writtenNames.set(name, written);
  return written;
}

function writeArray(items: readonly unknown[], indent: number, depth: number): string {
  if (items.length === 0) return '[]';
  const newline = lineBreak(indent, depth + 1);
  let text = '[';
  for (let at = 0; at < items.length; at += 1) {
    text += (at === 0 ? newline : `,${newline}`) + writeJson(items[at], indent, depth + 1);
  }
  return `${text}${lineBreak(indent, depth)}]`;
}

function writeObject(object: object, indent: number, depth: number): string {
  const newline = lineBreak(indent, depth + 1);
  const blank = indent === 0 ? '' : ' ';
  let text = '{';
  let separator = newline;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    const value: unknown = (object as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    text += separator + writeName(name) + blank + writeJson(value, indent, depth + 1);
    separator = `,${newline}`;
  }
  return text === '{' ? '{}' : `${text}${lineBreak(indent, depth)}}`;
}

function lineBreak(indent: number, depth: number): string {
  return indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`;
}
