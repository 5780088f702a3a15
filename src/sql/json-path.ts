import { quotedText } from './dialect.js';

/** Returns a JSON path of names. The names come from the schema or the mapping, never from a filter. */
export function jsonPath(names: readonly string[]): string {
  return quotedText(`$${names.map((name) => `."${name}"`).join('')}`);
}

/** Whether a path can contain the name: quotes and backslashes cannot be written in one. */
export function canBeInPath(name: string): boolean {
  return !/["\\\0]/.test(name);
}
