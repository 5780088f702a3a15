import { describeKind, type ConfigEntry, type ConfigValue, type Reader, type Report } from '@tamis/config';
import {
  readHeader,
  readStatusKey,
  ResponseHeaderError,
  type HeaderSet,
  type ResponseHeaders,
  type StatusKey,
} from '../../http/response-headers.js';

type Place = ConfigEntry['at'];

/**
 * `custom_response_headers { "default" = { "X-Name" = ["value"] } "200" = { ... } "3xx" = { ... } }`. If the block is repeated,
 * its entries for a status replace earlier ones. Headers that cannot be sent are mistakes with their position; ignored ones are
 * warnings.
 */
export const responseHeaders: Reader<ResponseHeaders> = {
  read(given, report) {
    const sets = new Map<string, { readonly status: StatusKey; readonly set: HeaderSet }>();
    for (const { value } of given.occurrences) {
      for (const entries of objectsIn(value, given.path, report)) {
        for (const [key, read] of readBlock(entries, given.path, report)) sets.set(key, read);
      }
    }
    return collect([...sets.values()]);
  },
};

function collect(sets: readonly { readonly status: StatusKey; readonly set: HeaderSet }[]): ResponseHeaders {
  const byClass = new Map<number, HeaderSet>();
  const byStatus = new Map<number, HeaderSet>();
  let byDefault: HeaderSet = new Map();
  for (const { status, set } of sets) {
    if (status.kind === 'default') byDefault = set;
    else (status.kind === 'class' ? byClass : byStatus).set(status.number, set);
  }
  return { byDefault, byClass, byStatus };
}

/** Reads one block. A status must occur only once, because two entries would be ambiguous. */
function* readBlock(
  entries: readonly ConfigEntry[],
  path: string,
  report: Report,
): Iterable<[string, { readonly status: StatusKey; readonly set: HeaderSet }]> {
  const seen = new Set<string>();
  for (const { key, at, value } of entries) {
    const keyPath = `${path}.${JSON.stringify(key)}`;
    if (seen.has(key)) report.mistake(at, keyPath, 'is already there in this block');
    seen.add(key);
    const status = attempt(() => readStatusKey(key), at, keyPath, report);
    const [headers, ...others] = objectsIn(value, keyPath, report);
    if (others.length > 0) report.mistake(value.at, keyPath, 'expected one map of headers, found several');
    if (headers === undefined || status === undefined) continue;
    yield [key, { status, set: readSet(headers, keyPath, report) }];
  }
}

function readSet(entries: readonly ConfigEntry[], path: string, report: Report): HeaderSet {
  const set = new Map<string, string>();
  for (const { key, at, value } of entries) {
    const namePath = `${path}.${JSON.stringify(key)}`;
    const values = readValues(value, namePath, report);
    if (values === undefined) continue;
    const header = attempt(() => readHeader(key, values), at, namePath, report);
    if (header === undefined) continue;
    if ('skipped' in header) report.unknown(at, namePath, `is left out: ${header.skipped}`);
    else set.set(header.name, header.value);
  }
  return set;
}

function readValues(value: ConfigValue, path: string, report: Report): readonly string[] | undefined {
  if (value.kind !== 'list') {
    report.mistake(value.at, path, `expected a list of strings, found ${describeKind(value)}`);
    return undefined;
  }
  const texts: string[] = [];
  for (const [index, item] of value.items.entries()) {
    if (item.kind === 'text') texts.push(item.value);
    else report.mistake(item.at, `${path}[${index}]`, `expected a string, found ${describeKind(item)}`);
  }
  return texts.length === value.items.length ? texts : undefined;
}

/** Returns the objects of a block, or of a list of blocks in JSON. */
function objectsIn(value: ConfigValue, path: string, report: Report): readonly (readonly ConfigEntry[])[] {
  if (value.kind === 'object') return [value.entries];
  if (value.kind === 'list') return value.items.flatMap((item) => objectsIn(item, path, report));
  report.mistake(value.at, path, `expected a map, found ${describeKind(value)}`);
  return [];
}

function attempt<T>(read: () => T, at: Place, path: string, report: Report): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ResponseHeaderError)) throw error;
    report.mistake(at, path, error.message);
    return undefined;
  }
}
