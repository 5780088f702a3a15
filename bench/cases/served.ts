import type * as Tamis from '../../src/index.js';
import type { Random } from '../data/random.js';

/** A row of a list that is served: few fields, so that a million fit into any process. */
export interface ServedRow {
  readonly ID: string;
  readonly Name: string;
  readonly Region: string;
  readonly Status: string;
  readonly Priority: number;
}

/** A query of such a list, and the same by hand. Both return the rows before a page. */
export interface ServedQuery {
  readonly filter: string;
  /** Empty for the list's own order. */
  readonly sort: string;
  readonly byHand: (rows: readonly ServedRow[]) => readonly ServedRow[];
}

export interface ServedCase {
  readonly id: string;
  readonly draw: (random: Random) => ServedQuery;
}

/** The field that keys are, those that indexes find, and those that lists are sorted by. */
export const servedKey = 'ID';
export const servedIndexes = ['Region', 'Status'];
export const servedSorts = ['Priority'];

export const schemaOfServed = ({ defineSchema, t }: typeof Tamis) =>
  defineSchema({ ID: t.string, Name: t.string, Region: t.string, Status: t.string, Priority: t.int });

const statuses = ['running', 'pending', 'dead'];
const regionOf = (number: number): string => `region-${String(number)}`;

/** Rows of so many regions, as a server reads them. */
export function makeServed(random: Random, count: number, regions: number, levels: number): ServedRow[] {
  const rows: ServedRow[] = [];
  for (let at = 0; at < count; at += 1) {
    const row: ServedRow = {
      ID: `job-${String(at).padStart(String(count).length, '0')}`,
      Name: `web-${String(random.int(count))}`,
      Region: regionOf(random.int(regions)),
      Status: random.pick(statuses),
      Priority: random.int(levels),
    };
    rows.push(JSON.parse(JSON.stringify(row)) as ServedRow);
  }
  return rows;
}

const inKeyOrder = (a: ServedRow, b: ServedRow): number => (a.ID < b.ID ? -1 : a.ID > b.ID ? 1 : 0);
// Descending is the exact reverse of ascending.
const byPriority = (a: ServedRow, b: ServedRow): number => b.Priority - a.Priority || inKeyOrder(b, a);

/** Rows of one region in the order of a field, a third of them in that of keys, and a sixth of all rows in the order of a field. */
export const servedCases = (regions: number, levels: number): readonly ServedCase[] => [
  {
    id: 'few, sorted',
    draw(random) {
      const region = regionOf(random.int(regions));
      return {
        filter: `Region == "${region}"`,
        sort: '-Priority',
        byHand: (rows) => rows.filter((row) => row.Region === region).sort(byPriority),
      };
    },
  },
  {
    id: 'fewer, by key',
    draw(random) {
      const region = regionOf(random.int(regions));
      const status = random.pick(statuses);
      return {
        filter: `Region == "${region}" and Status == "${status}"`,
        sort: '',
        byHand: (rows) =>
          rows.filter((row) => row.Region === region && row.Status === status).sort(inKeyOrder),
      };
    },
  },
  {
    id: 'many, sorted',
    draw(random) {
      const status = random.pick(statuses);
      const max = random.int(levels);
      return {
        filter: `Status == "${status}" and Priority < ${String(max)}`,
        sort: '-Priority',
        byHand: (rows) => rows.filter((row) => row.Status === status && row.Priority < max).sort(byPriority),
      };
    },
  },
];

/** The fields that the queries of live pages name. */
export const liveFields = { region: 'Region', status: 'Status', priority: 'Priority' };

/** A query of a page that stays current, and the same by hand. */
export interface LiveQuery extends ServedQuery {
  /** The region that the rows must have or must not have, the status that they must have, and the least priority that they must not have. */
  readonly region: string;
  readonly status: string | null;
  readonly below: number;
}

/** Draws the query of a live page: most find the rows of one region, one of 20 finds a third of all rows. */
export function drawLiveQuery(random: Random, regions: number, levels: number): LiveQuery {
  const region = regionOf(random.int(regions));
  const below = 1 + random.int(levels);
  const isNarrow = random.int(20) > 0;
  const status = isNarrow ? null : random.pick(statuses);
  const filter =
    status === null
      ? `Region == "${region}" and Priority < ${String(below)}`
      : `Status == "${status}" and Priority < ${String(below)} and Region != "${region}"`;
  const matches = (row: ServedRow): boolean =>
    row.Priority < below &&
    (status === null ? row.Region === region : row.Status === status && row.Region !== region);
  return {
    ...{ filter, region, status, below, sort: '-Priority' },
    byHand: (rows) => rows.filter(matches).sort(byPriority),
  };
}

/** Draws a write: a row with another status, region or priority, or its removal. */
export function drawWrite(
  random: Random,
  rows: readonly ServedRow[],
  regions: number,
  levels: number,
): { readonly row: ServedRow; readonly isRemoval: boolean } {
  const old = random.pick(rows);
  const kind = random.int(10);
  const row: ServedRow = {
    ...old,
    Priority: kind < 5 ? random.int(levels) : old.Priority,
    Status: kind === 5 || kind === 6 ? random.pick(statuses) : old.Status,
    Region: kind === 7 || kind === 8 ? regionOf(random.int(regions)) : old.Region,
  };
  return { row, isRemoval: kind === 9 };
}
