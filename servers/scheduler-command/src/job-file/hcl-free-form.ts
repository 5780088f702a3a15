import type { ConfigEntry, ConfigObject, ConfigValue, Reader, Report } from '@tamis/config';

/** Reads free-form blocks, such as the `config` of a task, as JSON. */
export function freeForm(): Reader<unknown> {
  return {
    read({ occurrences, path }, report) {
      const [first, ...others] = occurrences;
      for (const { at } of others) report.mistake(at, path, `is already set on line ${first.at.line}`);
      return others.length === 0 ? jsonOf(first.value, path, report) : undefined;
    },
  };
}

function jsonOf(value: ConfigValue, path: string, report: Report): unknown {
  switch (value.kind) {
    case 'text':
    case 'bool':
      return value.value;
    case 'number':
      return numberOf(value.value, value.text);
    case 'null':
      return null;
    case 'list':
      return value.items.map((item, at) => jsonOf(item, `${path}[${at}]`, report));
    case 'expression':
      // Expressions are reported before anything is read.
      return value.text;
    case 'object':
      return objectOf(value, path, report);
  }
}

/** Doubles cannot represent every 64-bit integer. */
function numberOf(value: number, written: string): number | bigint {
  return !Number.isSafeInteger(value) && /^-?[1-9]\d{0,20}$/.test(written) ? BigInt(written) : value;
}

/** Blocks, and objects directly in a block, become a list even if single, as in Nomad's driver configurations. */
function objectOf({ entries, isBlock }: ConfigObject, path: string, report: Report): object {
  const byKey = new Map<string, ConfigEntry[]>();
  for (const entry of entries) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  const read = [...byKey].flatMap(([key, given]) => {
    const inner = `${path}.${key}`;
    const [first, second] = given;
    if (first === undefined) return [];
    const values = given.map(({ value }, at) => jsonOf(value, `${inner}[${at}]`, report));
    if (given.every(({ value }) => value.kind === 'object' && value.isBlock === true))
      return [[key, values] as const];
    if (second === undefined) {
      return [[key, isBlock === true && first.value.kind === 'object' ? values : values[0]] as const];
    }
    report.mistake(second.at, inner, `is already set on line ${first.at.line}`);
    return [];
  });
  return Object.fromEntries(read);
}
