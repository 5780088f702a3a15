import { readFileSync } from 'node:fs';

/** The fields of the structs of the Go client, by name, with their Go types. */
const structs = JSON.parse(
  readFileSync(new URL('./go-client-types.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, string>>>>;

const integers: Readonly<Record<string, readonly [min: bigint, max: bigint]>> = {
  int: [-(2n ** 63n), 2n ** 63n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  int8: [-128n, 127n],
  uint64: [0n, 2n ** 64n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint16: [0n, 65_535n],
  uint8: [0n, 255n],
  'time.Duration': [-(2n ** 63n), 2n ** 63n - 1n],
};

/** Types that are strings under another name. */
const stringTypes: ReadonlySet<string> = new Set([
  'string',
  ...['CSIPluginType', 'ReconcileOption', 'DrainStatus', 'Topic'],
]);

/** The names of the structs. */
export const goStructs = Object.keys(structs);

/** Where a value does not decode as a Go type, as the JSON decoder of Go takes it; null if it does. */
export function decodeProblem(type: string, value: unknown, path = ''): string | null {
  if (value === null || value === undefined) return null;
  const problem = `${path}: ${typeof value === 'bigint' ? value : JSON.stringify(value)} is no ${type}`;
  if (type.startsWith('*')) return decodeProblem(type.slice(1), value, path);
  if (type === '[]byte') return typeof value === 'string' && /^[\w+/]*={0,2}$/.test(value) ? null : problem;
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return problem;
    return first(value.map((item, at) => decodeProblem(type.slice(2), item, `${path}[${at}]`)));
  }
  if (type.startsWith('map[string]')) {
    if (!isObject(value)) return problem;
    const of = type.slice('map[string]'.length);
    return first(Object.entries(value).map(([key, item]) => decodeProblem(of, item, `${path}[${key}]`)));
  }
  if (stringTypes.has(type)) return typeof value === 'string' ? null : problem;
  if (type === 'bool') return typeof value === 'boolean' ? null : problem;
  if (type === 'float64') return ['number', 'bigint'].includes(typeof value) ? null : problem;
  if (type === 'any') return null;
  if (type === 'time.Time') {
    const isTime =
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);
    return isTime ? null : problem;
  }
  const range = integers[type];
  if (range !== undefined) {
    const isWhole = typeof value === 'bigint' || Number.isInteger(value);
    return isWhole && BigInt(value as number) >= range[0] && BigInt(value as number) <= range[1]
      ? null
      : problem;
  }
  const fields = fieldsOf(type);
  if (!isObject(value)) return problem;
  return first(
    Object.entries(value).map(([key, item]) => {
      const field = Object.keys(fields).find((name) => name.toLowerCase() === key.toLowerCase());
      return field === undefined ? null : decodeProblem(fields[field] ?? '', item, `${path}.${key}`);
    }),
  );
}

/** A struct without fields that clients read is not in the list. */
function fieldsOf(type: string): Readonly<Record<string, string>> {
  const { '<embedded>': embedded, ...fields } = structs[type] ?? {};
  return embedded === undefined ? fields : { ...fieldsOf(embedded), ...fields };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function first(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}
