import type { ClientCommand } from '../command.js';
import { listCommand } from '../views/list-commands.js';

export const evalCommands: readonly ClientCommand[] = [
  listCommand('eval list'),
  {
    path: 'eval status',
    summary: 'what came of an evaluation',
    positionals: [
      { name: 'EVAL', help: 'the ID of an evaluation or its beginning', complete: 'evaluations' },
    ],
    about: 'Shows what came of a look at a job: what was placed, what found no place and why.',
    examples: [['scheduler eval status 77ab', 'one of them']],
    load: async () => (await import('./eval-status.js')).printEvaluation,
  },
];
