import { listFlags } from '../client-flags.js';
import type { ClientCommand } from '../command.js';
import { listCommand } from '../views/list-commands.js';

const node = { name: 'NODE', help: 'the ID of a node or its beginning', complete: 'nodes' } as const;

export const nodeCommands: readonly ClientCommand[] = [
  listCommand('node list'),
  {
    path: 'node status',
    summary: 'nodes; or one of them with what runs there',
    positionals: [{ ...node, isOptional: true }],
    flags: listFlags,
    about: 'Lists nodes, or shows one: what it has, which drivers, and the allocations on it.',
    examples: [
      ['scheduler node status --filter \'Status != "ready"\'', 'those that are not well'],
      ['scheduler node status 9c1b', 'one of them'],
    ],
    list: 'nodes',
    load: async () => (await import('./node-status.js')).printNodes,
  },
  {
    path: 'node drain',
    summary: 'move the work of a node elsewhere, or end that',
    positionals: [node],
    flags: {
      enable: { help: 'begin' },
      disable: { help: 'end: the node takes new work again' },
      deadline: {
        value: 'TIME',
        help: 'after which the rest is stopped, such as 30m; 1h unless another is named',
      },
      'no-deadline': { help: 'wait for as long as it takes' },
      force: { help: 'stop everything at once' },
      'ignore-system': { help: 'system jobs stay' },
      'keep-ineligible': { help: 'with --disable: the node still takes no new work' },
      detach: { help: 'do not wait until the node is empty' },
    },
    about:
      'Begins or ends the drain of a node: its allocations are placed elsewhere, as fast as their jobs allow, and nothing new\n' +
      'is placed on it. Stays until the node is empty, and prints what leaves. Ctrl-C ends the watching, not the drain.',
    examples: [
      ['scheduler node drain --enable --deadline 30m 9c1b', 'before its machine is serviced'],
      ['scheduler node drain --disable 9c1b', 'it is back'],
    ],
    load: async () => (await import('./node-drain.js')).drainNode,
  },
  {
    path: 'node eligibility',
    summary: 'let a node take new work, or not',
    positionals: [node],
    flags: { enable: { help: 'it takes new work' }, disable: { help: 'it takes none; what runs goes on' } },
    about: 'Says whether new work may be placed on a node.',
    examples: [['scheduler node eligibility --disable 9c1b', 'nothing new']],
    load: async () => (await import('./node-eligibility.js')).setEligibility,
  },
  {
    path: 'node purge',
    summary: 'forget a node; its work is placed elsewhere',
    positionals: [node],
    flags: {},
    about:
      'Forgets a node: what it ran is lost to the servers and placed elsewhere. One whose client still runs registers again by\n' +
      'itself, whatever its secret is.',
    examples: [['scheduler node purge 9c1b', 'its machine is gone']],
    load: async () => (await import('./node-purge.js')).purgeNode,
  },
];
