import type { ClientCommand } from '../command.js';
import { listCommand } from '../views/list-commands.js';

const name = { name: 'NAME', help: 'the name of a namespace', complete: 'namespaces' } as const;

export const namespaceCommands: readonly ClientCommand[] = [
  listCommand('namespace list'),
  {
    path: 'namespace status',
    summary: 'a namespace, and how many jobs it has',
    positionals: [name],
    examples: [['scheduler namespace status team-a', 'one of them']],
    load: async () => (await import('./namespaces.js')).printNamespace,
  },
  {
    path: 'namespace apply',
    summary: 'make a namespace, or change one',
    positionals: [name],
    flags: {
      description: { value: 'TEXT', help: 'what it is for' },
      meta: { value: 'KEY=VALUE', repeats: true, help: 'one more fact; an empty value takes it away' },
    },
    about: 'Makes a namespace. Of one that is there only what is given changes.',
    examples: [['scheduler namespace apply team-a --description "jobs of team A"', 'a new one']],
    load: async () => (await import('./namespaces.js')).applyNamespace,
  },
  {
    path: 'namespace delete',
    summary: 'delete a namespace in which every job is dead',
    positionals: [name],
    about: 'Deletes a namespace. One with jobs that are not dead stays.',
    examples: [['scheduler namespace delete team-a', 'it is gone']],
    load: async () => (await import('./namespaces.js')).deleteNamespace,
  },
];
