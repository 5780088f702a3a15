import type { Job } from '../data/job.js';

/** A page to be taken from a list of jobs in order. */
export interface PageCase {
  readonly name: string;
  readonly expression: string | null;
  readonly byHand: (job: Job) => boolean;
  /** The position of the row at which the page begins. */
  readonly start: number;
  /** False where the engine is to sort the rows itself. */
  readonly sorted: boolean;
}

export const pageRowCount = 100_000;

/** What the rows are ordered by. */
export const pageOrder = { index: (job: Job): number => job.CreateIndex, text: (job: Job): string => job.ID };

export const pageCases: readonly PageCase[] = [
  { name: 'first, no filter', expression: null, byHand: () => true, start: 0, sorted: true },
  {
    name: 'first, Status == "running"',
    expression: 'Status == "running"',
    byHand: (job) => job.Status === 'running',
    start: 0,
    sorted: true,
  },
  {
    name: 'middle, Status == "running"',
    expression: 'Status == "running"',
    byHand: (job) => job.Status === 'running',
    start: pageRowCount / 2,
    sorted: true,
  },
  {
    name: 'first, three-way and (1 in 13)',
    expression: 'Status == "running" and Type == "service" and Namespace != "default"',
    byHand: (job) => job.Status === 'running' && job.Type === 'service' && job.Namespace !== 'default',
    start: 0,
    sorted: true,
  },
  {
    name: 'first, found in one row only',
    expression: `CreateIndex == ${1000 + (pageRowCount - 1) * 7}`,
    byHand: (job) => job.CreateIndex === 1000 + (pageRowCount - 1) * 7,
    start: 0,
    sorted: true,
  },
  {
    name: 'first, rows in no order',
    expression: 'Status == "running"',
    byHand: (job) => job.Status === 'running',
    start: 0,
    sorted: false,
  },
];
