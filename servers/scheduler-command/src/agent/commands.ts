import type { ClientCommand } from '../command.js';

export const agentCommands: readonly ClientCommand[] = [
  {
    path: 'server members',
    summary: 'the servers that know of each other, and who leads',
    examples: [['scheduler server members', 'who is there']],
    load: async () => (await import('./server-members.js')).printMembers,
  },
  {
    path: 'monitor',
    summary: 'the log of an agent as it comes',
    flags: {
      'log-level': {
        value: 'LEVEL',
        help: 'info unless another is named',
        complete: ['trace', 'debug', 'info', 'warn', 'error'],
      },
      'server-id': { value: 'NAME', help: 'of this server, or of the leader' },
      'node-id': { value: 'NODE', help: 'of the agent of this node', complete: 'nodes' },
    },
    about:
      'Prints the log of the agent, or of another agent through it, until Ctrl-C.\nWith --json a line is an object.',
    examples: [
      ['scheduler monitor --log-level debug', 'of this agent'],
      ['scheduler monitor --server-id leader', 'of the leader'],
    ],
    load: async () => (await import('./monitor.js')).monitor,
  },
];
