import type { Job, TaskGroup } from '../data/job.js';
import { datacenterOf, groupOf, idOf, namespaceOf, startOf, statusOf } from '../data/values.js';
import { both, equal, unequal, type Condition } from './condition.js';

/** A kind of filter that requests make with a value of their own, and the loop for it that one would write by hand. */
export interface Template {
  readonly name: string;
  /** The filter for the n-th value, 0 and up. */
  readonly condition: (turn: number) => Condition;
  readonly byHand: (jobs: readonly Job[], turn: number) => Job[];
}

/**
 * Ten kinds of filters on jobs. Their values are many, so that every filter is another one; few
 * rows satisfy them. The loops are written as those of the cases are.
 */
export const templates: readonly Template[] = [
  {
    name: 'Status ==',
    condition: (turn) => equal('Status', statusOf(turn)),
    byHand: (jobs, turn) => {
      const status = statusOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Status === status) selected.push(job);
      }
      return selected;
    },
  },
  {
    name: 'ID ==',
    condition: (turn) => equal('ID', idOf(turn)),
    byHand: (jobs, turn) => {
      const id = idOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.ID === id) selected.push(job);
      }
      return selected;
    },
  },
  {
    name: 'Namespace !=',
    condition: (turn) => unequal('Namespace', namespaceOf(turn)),
    byHand: (jobs, turn) => {
      const namespace = namespaceOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Namespace !== namespace) selected.push(job);
      }
      return selected;
    },
  },
  {
    name: 'CreateIndex ==',
    condition: (turn) => equal('CreateIndex', 1000 + turn * 7),
    byHand: (jobs, turn) => {
      const requested = 1000 + turn * 7;
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.CreateIndex === requested) selected.push(job);
      }
      return selected;
    },
  },
  {
    name: 'JobSummary.Children.Dead ==',
    condition: (turn) => equal(['JobSummary', 'Children', 'Dead'], turn),
    byHand: (jobs, turn) => {
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.JobSummary.Children.Dead === turn) selected.push(job);
      }
      return selected;
    },
  },
  {
    name: 'in Datacenters',
    condition: (turn) => ({ is: 'contains', path: ['Datacenters'], value: datacenterOf(turn) }),
    byHand: (jobs, turn) => {
      const datacenter = datacenterOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        const datacenters = job.Datacenters;
        for (let position = 0; position < datacenters.length; position += 1) {
          if (datacenters[position] !== datacenter) continue;
          selected.push(job);
          break;
        }
      }
      return selected;
    },
  },
  {
    name: 'Name matches ^',
    condition: (turn) => ({ is: 'starts-with', path: ['Name'], text: startOf(turn) }),
    byHand: (jobs, turn) => {
      const start = startOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Name.startsWith(start)) selected.push(job);
      }
      return selected;
    },
  },
  {
    name: 'and of two',
    condition: (turn) => both(equal('Status', 'running'), equal('Priority', turn)),
    byHand: (jobs, turn) => {
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Status === 'running' && job.Priority === turn) selected.push(job);
      }
      return selected;
    },
  },
  {
    name: 'and of three',
    condition: (turn) =>
      both(equal('Type', 'service'), unequal('Namespace', 'default'), equal('ModifyIndex', 4000 + turn)),
    byHand: (jobs, turn) => {
      const requested = 4000 + turn;
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Type === 'service' && job.Namespace !== 'default' && job.ModifyIndex === requested)
          selected.push(job);
      }
      return selected;
    },
  },
  {
    name: 'any TaskGroups',
    condition: (turn) => ({ is: 'some', path: ['TaskGroups'], field: 'Name', value: groupOf(turn) }),
    byHand: (jobs, turn) => {
      const name = groupOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        const groups = job.TaskGroups;
        for (let position = 0; position < groups.length; position += 1) {
          if ((groups[position] as TaskGroup).Name !== name) continue;
          selected.push(job);
          break;
        }
      }
      return selected;
    },
  },
];
