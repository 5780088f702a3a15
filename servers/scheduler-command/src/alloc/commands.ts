import { listFlags } from '../client-flags.js';
import type { ClientCommand } from '../command.js';
import { listCommand } from '../views/list-commands.js';

const alloc = {
  name: 'ALLOC',
  help: 'the ID of an allocation or its beginning',
  complete: 'allocations',
} as const;
const task = { name: 'TASK', help: 'one of its tasks, where it has several', isOptional: true } as const;

export const allocCommands: readonly ClientCommand[] = [
  listCommand('alloc list'),
  {
    path: 'alloc status',
    summary: 'allocations; or one of them with its tasks',
    positionals: [{ ...alloc, isOptional: true }],
    flags: listFlags,
    about:
      'Lists allocations, the newest first, or shows one: the states of its tasks and what has happened to them.',
    examples: [
      ['scheduler alloc status --filter \'ClientStatus == "failed"\'', 'those that failed'],
      ['scheduler alloc status 3f2a', 'one of them'],
    ],
    list: 'allocations',
    load: async () => (await import('./alloc-status.js')).printAllocations,
  },
  {
    path: 'alloc logs',
    summary: 'what a task has written',
    positionals: [alloc, task],
    flags: {
      follow: { short: 'f', help: 'go on with what it writes from now on' },
      stderr: { help: 'its standard error' },
      tail: {
        short: 'n',
        value: 'LINES',
        alone: 10,
        help: 'only the last lines, 10 where no number follows; 100 with --follow',
      },
      raw: { help: 'on a terminal too the bytes as they are, whatever they do to it' },
    },
    about:
      'Writes the output of a task. In a pipe these are its bytes, as they are. On a terminal colours stay, and everything\n' +
      'else that would steer the terminal (moving the cursor, titles, other directions) is shown as text such as \\x1b[2J.',
    examples: [
      ['scheduler alloc logs 3f2a', 'all that is kept'],
      ['scheduler alloc logs -n 20 3f2a', 'the last twenty lines'],
      ['scheduler alloc logs -f --stderr 3f2a web', 'the errors of one task, as they come'],
    ],
    load: async () => (await import('./alloc-logs.js')).printLogs,
  },
  {
    path: 'alloc fs',
    summary: 'the files of an allocation',
    positionals: [
      alloc,
      { name: 'PATH', help: 'a directory or a file, such as web/local; / when left out', isOptional: true },
    ],
    flags: { stat: { help: 'what it is, instead of its contents' } },
    about:
      'Lists a directory of an allocation, or writes out a file. In a pipe that is its bytes, as they are; on a terminal what\n' +
      'would steer it is shown as text.',
    examples: [
      ['scheduler alloc fs 3f2a', 'alloc, which its tasks share, and a directory for each'],
      ['scheduler alloc fs 3f2a web/local/out', 'a file'],
    ],
    load: async () => (await import('./alloc-fs.js')).printFiles,
  },
  {
    path: 'alloc stop',
    summary: 'stop an allocation: another one takes its place',
    positionals: [alloc],
    flags: { 'no-shutdown-delay': { help: 'its tasks end at once, whatever their shutdown_delay' } },
    about: 'Stops an allocation. Where its job still wants as many, another one is placed.',
    examples: [['scheduler alloc stop 3f2a', 'somewhere else, please']],
    load: async () => (await import('./alloc-writes.js')).stopAllocation,
  },
  {
    path: 'alloc restart',
    summary: 'start the tasks of an allocation again, where they are',
    positionals: [alloc, task],
    flags: { 'all-tasks': { help: 'those too that have ended' } },
    about: 'Ends tasks and starts them again on the same node. Without TASK all that run.',
    examples: [['scheduler alloc restart 3f2a web', 'one task']],
    load: async () => (await import('./alloc-writes.js')).restartAllocation,
  },
  {
    path: 'alloc signal',
    summary: 'send a signal to the tasks of an allocation',
    positionals: [alloc, task],
    flags: {
      signal: {
        short: 's',
        value: 'SIGNAL',
        help: 'SIGKILL unless another one is named',
        complete: ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGKILL'],
      },
    },
    about: 'Sends a signal to one task, or to all that run.',
    examples: [['scheduler alloc signal -s SIGHUP 3f2a', 'read your configuration again']],
    load: async () => (await import('./alloc-writes.js')).signalAllocation,
  },
];
