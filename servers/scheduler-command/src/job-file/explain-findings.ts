import { formatPosition, type Position } from '@tamis/config';
import { hclName } from './hcl-names.js';
import type { FilePlace, JobPlaces } from './job-places.js';

/** A finding about a job with the path of its part, such as `Task group web`. */
interface Finding {
  readonly parts: readonly string[];
  readonly text: string;
}

/** Returns the findings of a server about a job, each on a line that begins with the position in the file. */
export function explainFindings(reported: string, places: JobPlaces): string {
  if (reported.trim() === noRegion) return explainRegion(reported, places);
  const findings = findingsOf(reported, places);
  if (findings === null) return reported;
  return findings
    .map(({ at, problem }) => `${at === null ? '' : `${formatPosition(at)}: `}${problem}`)
    .join('\n');
}

/** Returns the findings of a list with their positions; null if it is not such a list. */
export function findingsOf(
  reported: string,
  places: JobPlaces,
): readonly { readonly at: Position | null; readonly problem: string }[] | null {
  const findings = readFindings(reported);
  if (findings === null) return null;
  return findings.map(({ parts, text }) => ({
    at: placeOf(parts, text, places),
    problem: [...parts, text].join(': '),
  }));
}

/** Server message for an unknown region of a job. */
export const noRegion = 'No path to region';

/** If the file contains no region, it was set elsewhere. */
function explainRegion(reported: string, places: JobPlaces): string {
  const at = places.root()?.child('Region')?.at ?? null;
  return at === null ? reported : `${formatPosition(at)}: region: ${noRegion}`;
}

const header = /^(?:(.*) validation failed: )?(\d+) errors? occurred:$/;
const warnings = /^\d+ warning\(s\):$/;
/** Maximum number of lines in a list of findings: the findings that servers list, and one line that counts the others. */
const maxListed = 101;

/** Returns null if it is neither a list of findings nor a finding with a path. */
function readFindings(reported: string): readonly Finding[] | null {
  const lines = reported
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first = '', ...rest] = lines;
  if (warnings.test(first)) return rest.map((line) => ({ parts: [], text: line.replace(/^\* /, '') }));
  if (lines.length === 1 && /^Job\b/.test(first)) return [{ parts: [], text: first }];
  const found: Finding[] = [];
  return readList(lines, 0, [], found) === lines.length && found.length > 0 ? found : null;
}

/** Parses a list of findings whose header is the line at `start`. @returns the next line, -1 without a list */
function readList(
  lines: readonly string[],
  start: number,
  parts: readonly string[],
  found: Finding[],
): number {
  const count = Number(header.exec((lines[start] ?? '').replace(/^\* /, ''))?.[2] ?? NaN);
  if (Number.isNaN(count)) return -1;
  let at = start + 1;
  for (let item = 0; item < Math.min(count, maxListed) && at < lines.length; item += 1) {
    const line = (lines[at] ?? '').replace(/^\* /, '');
    const part = header.exec(line)?.[1];
    if (part !== undefined) {
      at = readList(lines, at, [...parts, part], found);
      continue;
    }
    let text = line;
    // A message with several lines continues until the next item.
    for (at += 1; at < lines.length && !lines[at]?.startsWith('* '); at += 1) text += ` ${lines[at]}`;
    found.push({ parts, text });
  }
  return at;
}

function placeOf(parts: readonly string[], text: string, places: JobPlaces): Position | null {
  const root = places.root();
  const path = /^Job\.([A-Z]\w*(?:\[\d+\])?(?:\.[\w-]+(?:\[\d+\])?)*)/.exec(text)?.[1];
  if (root === null) return null;
  if (path !== undefined) return places.ofPath(path);
  const inner = parts.reduce<FilePlace>((place, part) => partOf(place, part) ?? place, root);
  return inField(inner, text).at;
}

/** Parts that findings name by number, counted from 1. */
const numbered: ReadonlyMap<string, string> = new Map([
  ['Constraint', 'Constraints'],
  ['Affinity', 'Affinities'],
  ['Spread', 'Spreads'],
]);

function partOf(place: FilePlace, part: string): FilePlace | null {
  const [, group] = /^Task group (.+)$/.exec(part) ?? [];
  if (group === 'network') return place.child('Networks');
  if (group === 'service') return place.child('Services');
  if (group === 'scaling policy') return place.child('Scaling');
  if (group !== undefined) return place.named('TaskGroups', group);
  const [, task] = /^Task (.+)$/.exec(part) ?? [];
  if (task !== undefined) return place.named('Tasks', task);
  const [, service] = /^Service\[(\d+)\]/.exec(part) ?? [];
  if (service !== undefined) return place.child('Services', Number(service));
  const [, kind = '', number = ''] = /^(\w+) (\d+)$/.exec(part) ?? [];
  const field = numbered.get(kind);
  return field === undefined ? place.child(part.replaceAll(' ', '')) : place.child(field, Number(number) - 1);
}

/** Prefixes of findings about the whole job that concern one of its blocks. */
const blocks: readonly (readonly [beginning: RegExp, field: string])[] = [
  [/^(?:Invalid cron spec|Must specify a spec|Unknown periodic|Periodic has)/, 'Periodic'],
  [/ is in nonexistent namespace /, 'Namespace'],
  [/ is in nonexistent node pool /, 'NodePool'],
  [/^(?:Unknown payload|Required and optional meta)/, 'ParameterizedJob'],
];

/** Returns the first field that a message names, by its path or a word: the message is about that field. */
function inField(place: FilePlace, text: string): FilePlace {
  const [, path] = /^([A-Z]\w*(?:\[\d+\])?(?:\.[\w-]+(?:\[\d+\])?)+):/.exec(text) ?? [];
  const steps = path === undefined ? [] : [...path.matchAll(/(\w[\w-]*)(?:\[(\d+)\])?/g)];
  if (steps.length > 0) {
    let inner = place;
    for (const [, field = '', index = '0'] of steps) inner = inner.child(field, Number(index)) ?? inner;
    return inner;
  }
  const field = blocks.find(([beginning]) => beginning.test(text))?.[1];
  const around = (field === undefined ? null : place.child(field)) ?? place;
  for (const [word] of text.matchAll(/[A-Za-z_]{3,}/g)) {
    if (/^(?:task|group|job)$/i.test(word)) continue;
    const inner = around.child(word) ?? around.child(hclName(word));
    if (inner !== null) return inner;
  }
  return around;
}
