import type { ConfigEntry, ConfigValue, Reader, Report } from '@tamis/config';

/** Reads what has no form of its own, such as the `config` of a task, as the JSON that it stands for. */
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
    case 'object':
      return objectOf(value.entries, path, report);
  }
}

/** Doubles do not hold every integer of 64 bits. */
function numberOf(value: number, written: string): number | bigint {
  return !Number.isSafeInteger(value) && /^-?[1-9]\d*$/.test(written) ? BigInt(written) : value;
}

function objectOf(entries: readonly ConfigEntry[], path: string, report: Report): object {
  const lines = new Map<string, number>();
  const read = entries.flatMap(({ key, at, value }) => {
    const line = lines.get(key);
    const inner = `${path}.${key}`;
    if (line !== undefined) {
      report.mistake(at, inner, `is already set on line ${line}`);
      return [];
    }
    lines.set(key, at.line);
    return [[key, jsonOf(value, inner, report)] as const];
  });
  return Object.fromEntries(read);
}
