import { aclCommands } from '@tamis/scheduler-command/acl/commands.js';
import { agentCommands } from '@tamis/scheduler-command/agent/commands.js';
import { allocCommands } from '@tamis/scheduler-command/alloc/commands.js';
import { listFlags } from '@tamis/scheduler-command/client-flags.js';
import type { CommandSpec } from '@tamis/scheduler-command/command.js';
import { deploymentCommands } from '@tamis/scheduler-command/deployment/commands.js';
import { evalCommands } from '@tamis/scheduler-command/eval/commands.js';
import { jobCommands } from '@tamis/scheduler-command/job/commands.js';
import { localCommands } from './local-commands.js';
import { namespaceCommands } from '@tamis/scheduler-command/namespace/commands.js';
import { nodeCommands } from '@tamis/scheduler-command/node/commands.js';

/** The table of all commands. Parsing, help and completion are derived from it. */
export const commandTable: readonly CommandSpec[] = [
  {
    path: 'status',
    summary: 'jobs; or the object with an ID',
    positionals: [
      { name: 'ID', help: 'of a job, allocation, node, ...', isOptional: true, complete: 'any-id' },
    ],
    flags: listFlags,
    about: 'Shows the object with an ID or the beginning of one; without an ID, the jobs of the namespace.',
    examples: [
      ['scheduler status', 'the jobs'],
      ['scheduler status 3f2a', 'the allocation, node, deployment or evaluation whose ID begins so'],
      ['scheduler status --filter \'Status == "pending"\' --sort -Priority', 'a choice of the jobs'],
    ],
    list: 'jobs',
    load: async () => (await import('@tamis/scheduler-command/overview/status.js')).runStatus,
  },
  ...jobCommands,
  ...allocCommands,
  ...nodeCommands,
  ...deploymentCommands,
  ...evalCommands,
  ...namespaceCommands,
  ...agentCommands,
  ...aclCommands,
  ...localCommands,
];
