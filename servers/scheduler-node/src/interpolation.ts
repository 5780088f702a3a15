/** The value of a name such as `node.datacenter` or `SCHEDULER_ALLOC_ID`; undefined if unknown. */
export type VariableLookup = (name: string) => string | undefined;

/** Matches `${name}` or `${env["name"]}`; the quotes are optional. The length is limited, so that no string is scanned twice. */
const reference = /\$\{([^{}]{1,300})\}/g;
const plainName = /^[A-Za-z0-9_.-]+$/;

function nameIn(braced: string): string | null {
  const text = braced.trim();
  if (plainName.test(text)) return text;
  if (!text.startsWith('env[') || !text.endsWith(']')) return null;
  const name = text.slice('env['.length, -1).trim().replace(/^"/, '').replace(/"$/, '');
  return name === '' || /["\]]/.test(name) ? null : name;
}

/**
 * Replaces the references in a string. Their values are not expanded again. Unknown references stay, because a shell may know
 * them.
 */
export function interpolate(text: string, lookup: VariableLookup): string {
  return text.replace(reference, (whole, braced: string) => {
    const name = nameIn(braced);
    if (name === null) return whole;
    const short = name.startsWith('env.') ? lookup(name.slice('env.'.length)) : undefined;
    return lookup(name) ?? short ?? whole;
  });
}

/** Replaces references in all strings of a value of any shape. */
export function interpolateAll(value: unknown, lookup: VariableLookup): unknown {
  if (typeof value === 'string') return interpolate(value, lookup);
  if (Array.isArray(value)) return value.map((item: unknown) => interpolateAll(item, lookup));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, interpolateAll(item, lookup)] as const);
  return Object.fromEntries(entries);
}

/** Converts a string to a part of a variable name. */
export function cleanName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}
