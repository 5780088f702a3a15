/**
 * Returns a filter clause for the address of a list: `Meta["owner"] == "web"`. JSON escapes are valid in the filter language, so
 * the engine need not be loaded for a link.
 */
export function clauseText([first = '', ...rest]: readonly string[], value: string): string {
  const keys = rest.map((part) => `[${JSON.stringify(part)}]`).join('');
  return `${first}${keys} == ${JSON.stringify(value)}`;
}
