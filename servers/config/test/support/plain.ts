import type { ConfigObject, ConfigValue } from '../../src/index.js';

/** A tree without its places; a key that is written several times has all its values. */
export function plain(value: ConfigValue): unknown {
  switch (value.kind) {
    case 'text':
    case 'bool':
    case 'number':
      return value.value;
    case 'null':
      return null;
    case 'list':
      return value.items.map(plain);
    case 'object':
      return plainObject(value);
    case 'expression':
      return { expression: value.text };
  }
}

function plainObject({ entries }: ConfigObject): object {
  const values = new Map<string, unknown[]>();
  for (const { key, value } of entries) {
    values.set(key, [...(values.get(key) ?? []), plain(value)]);
  }
  return Object.fromEntries(values);
}
