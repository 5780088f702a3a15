/** Names and their values. */
export type Names = ReadonlyMap<string, unknown>;

/**
 * Puts values in the place of their names: `${name}` as text, `${name:int}` as an integer, and `@name` as a whole
 * object.
 *
 * @throws Error for an undefined name.
 */
export function resolve(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return resolveText(value, names);
  if (Array.isArray(value)) return value.map((item) => resolve(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, names)]));
}

function resolveText(text: string, names: Names): unknown {
  if (/^@(?:job:|realclient-job$)/.test(text)) return lookUp(text, names);
  const integer = /^\$\{([^}:]+):int\}$/.exec(text)?.[1];
  if (integer !== undefined) return BigInt(String(lookUp(integer, names)));
  return text.replace(/\$\{([^}]+)\}/g, (_match, name: string) => String(lookUp(name, names)));
}

function lookUp(name: string, names: Names): unknown {
  if (names.has(name)) return names.get(name);
  throw new Error(`nothing is called ${name} here`);
}
