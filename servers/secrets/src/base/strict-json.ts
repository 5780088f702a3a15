/** Maximum nesting depth. Prevents deeply nested tokens from exhausting the stack of a later parser. */
const deepest = 32;
const token = /\s+|[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/gy;

/**
 * Parses a JSON object without duplicate names at any depth; null for anything else, and for text nested deeper than 32 levels.
 * With duplicate names, two parsers of the same text could act on different claims. Implemented directly, because libraries that
 * check for duplicate names accept duplicates with equal values.
 */
export function readStrictObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    if (!namesAreUnique(text)) return null;
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

/** Whether all names in an object are unique. Does not validate the JSON otherwise; the parser does. */
function namesAreUnique(text: string): boolean {
  /** One entry per open bracket: the names so far of an object, null for a list. */
  const open: (Set<string> | null)[] = [];
  let last = '';
  let seen = 0;
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') {
      open.push(part === '{' ? new Set() : null);
      if (open.length > deepest) return false;
    } else if (part === '}' || part === ']') {
      open.pop();
    } else if (part === ':') {
      const names = open.at(-1);
      // Names are compared after unescaping: "\u0061" equals "a".
      const name: unknown = JSON.parse(last);
      if (!names || typeof name !== 'string' || names.has(name)) return false;
      names.add(name);
    }
    if (part.trim() !== '') last = part;
    seen += part.length;
  }
  return seen === text.length;
}
