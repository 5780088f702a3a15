import { shells } from './completion-scripts.js';
import type { FlagTable, LocalCommand } from './command.js';

const flagsOf = async (path: string): Promise<FlagTable> =>
  (await import('./local-arguments.js')).localFlags(path);

function local(path: string, summary: string, positionals: LocalCommand['positionals'] = []): LocalCommand {
  return { kind: 'local', path, summary, positionals, flags: () => flagsOf(path) };
}

const file = { name: 'FILE', help: 'a file', complete: 'files' } as const;

/** Commands about this machine. They read their own arguments: the flags of the agent come from the table of settings. */
export const localCommands: readonly LocalCommand[] = [
  local('agent', 'start an agent; without flags a sample cluster on 127.0.0.1:4646'),
  local('check', 'look for mistakes in configuration files', [file]),
  local('import', 'fill an empty store from a file', [file]),
  local('export', 'write what a store holds, or what an agent at --address holds'),
  local('operator', 'the servers that share an etcd, and snapshots of it', [
    { name: 'ACTION', help: 'servers or snapshot', complete: ['servers', 'snapshot'] },
  ]),
  local('completion', 'what a shell needs to complete command lines: source <(scheduler completion bash)', [
    { name: 'SHELL', help: 'bash, zsh or fish', complete: shells },
  ]),
  local('version', 'the version of this program'),
  local('help', 'more about a topic: settings, filters, or a command', [
    {
      name: 'TOPIC',
      help: 'a command, settings or filters',
      isOptional: true,
      complete: ['settings', 'filters'],
    },
  ]),
];
