import type { RowKind, Rows } from '../data/rows.js';
import { both, equal, unequal, type Condition } from './condition.js';
import {
  selectE1,
  selectE10,
  selectE11,
  selectE2,
  selectE3,
  selectE4,
  selectE5,
  selectE6,
  selectE7,
  selectE8,
  selectE9,
} from './hand-written.js';

/** An expression to filter with, and the loop that it is measured against. */
export interface FilterCase {
  readonly id: string;
  /** In the language of the engine. */
  readonly expression: string;
  /** The list that it filters. */
  readonly kind: RowKind;
  /** The same filter for the other competitors. */
  readonly condition: Condition;
  /** The hand-written loop: the denominator. */
  readonly byHand: (rows: Rows) => readonly unknown[];
  /** How many of the first 2,000 and 100,000 rows satisfy it, whatever their shape. */
  readonly matches: Readonly<Record<2000 | 100_000, number>>;
}

const fiveRegions = ['us-central1', 'europe-west1', 'europe-north1', 'asia-south1', 'africa-south1'];

export const filterCases: readonly FilterCase[] = [
  {
    id: 'E1',
    expression: 'Status == "running"',
    kind: 'jobs',
    condition: equal('Status', 'running'),
    byHand: selectE1,
    matches: { 2000: 684, 100_000: 33_214 },
  },
  {
    id: 'E2',
    expression: 'Status == "running" and Type == "service" and Namespace != "default"',
    kind: 'jobs',
    condition: both(equal('Status', 'running'), equal('Type', 'service'), unequal('Namespace', 'default')),
    byHand: selectE2,
    matches: { 2000: 168, 100_000: 8467 },
  },
  {
    id: 'E3',
    expression: 'NodeResources.Cpu.Arch == "arm64"',
    kind: 'nodes',
    condition: equal(['NodeResources', 'Cpu', 'Arch'], 'arm64'),
    byHand: selectE3,
    matches: { 2000: 417, 100_000: 19_945 },
  },
  {
    id: 'E4',
    expression: 'Attributes["cpu.arch"] == "arm64"',
    kind: 'nodes',
    condition: equal(['Attributes', 'cpu.arch'], 'arm64'),
    byHand: selectE4,
    matches: { 2000: 417, 100_000: 19_945 },
  },
  {
    id: 'E5',
    expression: '"dc1" in Datacenters',
    kind: 'jobs',
    condition: { is: 'contains', path: ['Datacenters'], value: 'dc1' },
    byHand: selectE5,
    matches: { 2000: 589, 100_000: 29_719 },
  },
  {
    id: 'E6',
    expression: 'Name matches "^web-"',
    kind: 'jobs',
    condition: { is: 'starts-with', path: ['Name'], text: 'web-' },
    byHand: selectE6,
    matches: { 2000: 166, 100_000: 8354 },
  },
  {
    id: 'E7',
    expression: 'Name matches "(?i)frontend"',
    kind: 'jobs',
    condition: { is: 'holds-any-case', path: ['Name'], text: 'frontend' },
    byHand: selectE7,
    matches: { 2000: 312, 100_000: 16_874 },
  },
  {
    id: 'E8',
    expression: fiveRegions.map((region) => `Region == "${region}"`).join(' or '),
    kind: 'jobs',
    condition: { is: 'one-of', path: ['Region'], values: fiveRegions },
    byHand: selectE8,
    matches: { 2000: 822, 100_000: 41_865 },
  },
  {
    id: 'E9',
    expression: 'Priority == 70',
    kind: 'jobs',
    condition: equal('Priority', 70),
    byHand: selectE9,
    matches: { 2000: 191, 100_000: 9905 },
  },
  {
    id: 'E10',
    expression: 'Meta is empty',
    kind: 'jobs',
    condition: { is: 'empty', path: ['Meta'] },
    byHand: selectE10,
    matches: { 2000: 816, 100_000: 40_174 },
  },
  {
    id: 'E11',
    expression: 'any TaskGroups as tg { tg.Name == "cache" }',
    kind: 'jobs',
    condition: { is: 'some', path: ['TaskGroups'], field: 'Name', value: 'cache' },
    byHand: selectE11,
    matches: { 2000: 547, 100_000: 27_584 },
  },
];

/** @throws RangeError for an id that no case has. */
export function caseOf(id: string): FilterCase {
  const found = filterCases.find((filterCase) => filterCase.id === id);
  if (found === undefined) throw new RangeError(`there is no case ${id}`);
  return found;
}
