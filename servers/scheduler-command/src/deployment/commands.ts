import type { ClientCommand } from '../command.js';
import { listCommand } from '../views/list-commands.js';

const deployment = {
  name: 'DEPLOYMENT',
  help: 'the ID of a deployment or its beginning',
  complete: 'deployments',
} as const;

export const deploymentCommands: readonly ClientCommand[] = [
  listCommand('deployment list'),
  {
    path: 'deployment status',
    summary: 'how far a rollout has come',
    positionals: [deployment],
    flags: { watch: { short: 'w', help: 'stay until it has ended; 2 when it failed' } },
    about: 'Shows how many allocations of each group are placed and healthy, and which they are.',
    examples: [['scheduler deployment status -w 8d0e', 'for scripts that began it with --detach']],
    load: async () => (await import('./deployment-status.js')).printDeployment,
  },
  {
    path: 'deployment promote',
    summary: 'let canaries become the new version',
    positionals: [deployment],
    flags: {
      group: { value: 'NAME', repeats: true, help: 'only this group' },
      detach: { help: 'do not wait for the rest of the rollout' },
    },
    about:
      'Promotes the canaries of a rollout: the rest of the job follows them. Stays until the rollout has ended.',
    examples: [['scheduler deployment promote 8d0e', 'all groups']],
    load: async () => (await import('./deployment-writes.js')).promoteDeployment,
  },
  {
    path: 'deployment pause',
    summary: 'hold a rollout',
    positionals: [deployment],
    about: 'Holds a rollout: nothing more is replaced, and no progress deadline ends it.',
    examples: [['scheduler deployment pause 8d0e', 'as it is now']],
    load: async () => (await import('./deployment-writes.js')).pauseDeployment,
  },
  {
    path: 'deployment resume',
    summary: 'let a paused rollout continue',
    positionals: [deployment],
    flags: { detach: { help: 'do not wait for the rest of the rollout' } },
    about:
      'Lets a paused rollout continue, with new progress deadlines from now on. Stays until the rollout has ended.',
    examples: [['scheduler deployment resume 8d0e', 'and see how it ends']],
    load: async () => (await import('./deployment-writes.js')).resumeDeployment,
  },
  {
    path: 'deployment fail',
    summary: 'end a rollout as failed',
    positionals: [deployment],
    about: 'Ends a rollout. Where the job has auto_revert, it returns to its last stable version.',
    examples: [['scheduler deployment fail 8d0e', 'no further']],
    load: async () => (await import('./deployment-writes.js')).failDeployment,
  },
];
