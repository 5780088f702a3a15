import type { Job, TaskGroup } from '../data/job.js';
import type { Node } from '../data/node.js';
import type { Rows } from '../data/rows.js';
import {
  architectureOf,
  datacenterOf,
  groupOf,
  namespaceOf,
  regionOf,
  startOf,
  statusOf,
  subjectOf,
} from '../data/values.js';
import { both, equal, unequal, type Condition } from './condition.js';

/** A case whose literal is another one each time, as in requests of users, and the loop by hand that takes it. */
export interface OneShot {
  readonly condition: (turn: number) => Condition;
  readonly byHand: (rows: Rows, turn: number) => readonly unknown[];
}

const otherRegions = ['us-central1', 'europe-west1', 'europe-north1', 'asia-south1'];

/** By the id of the case. */
export const oneShots: Readonly<Record<string, OneShot>> = {
  E1: {
    condition: (turn) => equal('Status', statusOf(turn)),
    byHand: ({ jobs }, turn) => {
      const status = statusOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Status === status) selected.push(job);
      }
      return selected;
    },
  },
  E2: {
    condition: (turn) =>
      both(equal('Status', 'running'), equal('Type', 'service'), unequal('Namespace', namespaceOf(turn))),
    byHand: ({ jobs }, turn) => {
      const namespace = namespaceOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Status === 'running' && job.Type === 'service' && job.Namespace !== namespace)
          selected.push(job);
      }
      return selected;
    },
  },
  E3: {
    condition: (turn) => equal(['NodeResources', 'Cpu', 'Arch'], architectureOf(turn)),
    byHand: ({ nodes }, turn) => {
      const architecture = architectureOf(turn);
      const selected: Node[] = [];
      for (let index = 0; index < nodes.length; index += 1) {
        const node = nodes[index] as Node;
        if (node.NodeResources.Cpu.Arch === architecture) selected.push(node);
      }
      return selected;
    },
  },
  E4: {
    condition: (turn) => equal(['Attributes', 'cpu.arch'], architectureOf(turn)),
    byHand: ({ nodes }, turn) => {
      const architecture = architectureOf(turn);
      const selected: Node[] = [];
      for (let index = 0; index < nodes.length; index += 1) {
        const node = nodes[index] as Node;
        if (node.Attributes['cpu.arch'] === architecture) selected.push(node);
      }
      return selected;
    },
  },
  E5: {
    condition: (turn) => ({ is: 'contains', path: ['Datacenters'], value: datacenterOf(turn) }),
    byHand: ({ jobs }, turn) => {
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
  E6: {
    condition: (turn) => ({ is: 'starts-with', path: ['Name'], text: startOf(turn) }),
    byHand: ({ jobs }, turn) => {
      const start = startOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Name.startsWith(start)) selected.push(job);
      }
      return selected;
    },
  },
  E7: {
    condition: (turn) => ({ is: 'holds-any-case', path: ['Name'], text: subjectOf(turn) }),
    byHand: ({ jobs }, turn) => {
      const subject = new RegExp(subjectOf(turn), 'i');
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (subject.test(job.Name)) selected.push(job);
      }
      return selected;
    },
  },
  E8: {
    condition: (turn) => ({ is: 'one-of', path: ['Region'], values: [...otherRegions, regionOf(turn)] }),
    byHand: ({ jobs }, turn) => {
      const fifth = regionOf(turn);
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        const region = job.Region;
        if (
          region === 'us-central1' ||
          region === 'europe-west1' ||
          region === 'europe-north1' ||
          region === 'asia-south1' ||
          region === fifth
        )
          selected.push(job);
      }
      return selected;
    },
  },
  E9: {
    condition: (turn) => equal('Priority', turn),
    byHand: ({ jobs }, turn) => {
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (job.Priority === turn) selected.push(job);
      }
      return selected;
    },
  },
  E10: {
    condition: () => ({ is: 'empty', path: ['Meta'] }),
    byHand: ({ jobs }) => {
      const selected: Job[] = [];
      for (let index = 0; index < jobs.length; index += 1) {
        const job = jobs[index] as Job;
        if (isEmpty(job.Meta)) selected.push(job);
      }
      return selected;
    },
  },
  E11: {
    condition: (turn) => ({ is: 'some', path: ['TaskGroups'], field: 'Name', value: groupOf(turn) }),
    byHand: ({ jobs }, turn) => {
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
};

function isEmpty(map: Readonly<Record<string, string>>): boolean {
  for (const _ in map) return false;
  return true;
}
