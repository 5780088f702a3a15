/** Prevents a token of brackets from exhausting the stack of a later parser. */
const deepest = 32;
const token = /\s+|[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/gy;

/**
 * Reads a JSON object in which no name is given twice, at any depth: two readers of the same text could otherwise act
 * on different claims. By hand: the parsers that look for repeated names let equal values pass. Null for everything else, also for text that is nested deeper than 32 levels.
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

/** Looks at names alone; whether the text is JSON at all is the parser's to say. */
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
      // Names are compared as what they mean: "\u0061" is "a".
      const name: unknown = JSON.parse(last);
      if (!names || typeof name !== 'string' || names.has(name)) return false;
      names.add(name);
    }
    if (part.trim() !== '') last = part;
    seen += part.length;
  }
  return seen === text.length;
}
