import { shells } from 'tamis/internal';
import type { FlagTable, LocalCommand } from '@tamis/scheduler-command/command.js';

const json = { help: 'for programs: one object of JSON' };
const dataDir = { value: 'DIR', help: 'of a store that no agent runs on' };
const config: FlagTable = {
  config: {
    value: 'FILE',
    repeats: true,
    help: 'settings in HCL or JSON; a directory means its .hcl and .json files',
    complete: 'files',
  },
};

async function agentFlags(): Promise<FlagTable> {
  const { settingFlags } = await import('./setting-flags.js');
  return {
    ...settingFlags,
    ...config,
    dev: { help: 'server and client in memory, with profiles and debug logs' },
  };
}

async function etcdFlags(): Promise<FlagTable> {
  return { ...(await import('./setting-flags.js')).etcdFlags, ...config };
}

const sharedEtcd =
  'About several servers that keep their state in one etcd. They find it as the servers do: by their files of settings, by\n' +
  'the variables of the environment, or by flags.';

/** Commands about the local machine. */
export const localCommands: readonly LocalCommand[] = [
  {
    kind: 'local',
    path: 'agent',
    summary: 'start an agent; without flags a sample cluster on 127.0.0.1:4646',
    flags: agentFlags,
  },
  {
    kind: 'local',
    path: 'check',
    summary: 'look for mistakes in configuration files',
    positionals: [{ name: 'FILE', help: 'a file to look through', repeats: true, complete: 'files' }],
    flags: { json },
    about: `Reads configuration files as the agent would, one over the other, and reports every mistake with its place:

  agent.hcl:3:10: ports.http: expected a whole number from 0 to 65535, found "x"

Variables of the environment are not looked at. With --json the output is one object {"valid", "mistakes": [{"source",
"line", "column", "setting", "problem"}]}; a line of 0 means that the mistake has no line. Ends with 1 where there are
mistakes.`,
  },
  {
    kind: 'local',
    path: 'import',
    summary: 'fill an empty store from a file',
    positionals: [{ name: 'FILE', help: 'what to fill it from, - for standard input', complete: 'files' }],
    flags: { 'data-dir': dataDir, json },
    about: `Fills an empty store, the one in --data-dir, from FILE, one JSON object a line:

  {"kind":"job","object":{"ID":"web","Priority":70,"TaskGroups":[{"Name":"web","Count":3}]}}

Kinds are namespace, node, job, deployment, evaluation, allocation. Absent fields get the zero value of their kind,
indexes stay as they are. A file with a mistake is not imported at all, and a store that holds something is left as it
is. With --json the counts are one object {"imported": {kind: count}, "index"}.`,
  },
  {
    kind: 'local',
    path: 'export',
    summary: 'write what a store holds, or what an agent at --address holds',
    flags: {
      'data-dir': dataDir,
      address: { value: 'URL', help: 'a running agent' },
      output: {
        short: 'o',
        value: 'FILE',
        help: 'instead of standard output; only its owner may read it',
        complete: 'files',
      },
    },
    about: `Writes all namespaces, nodes, jobs, deployments, evaluations and allocations, one JSON object a line, as
scheduler import reads them. Integers keep all their digits. Earlier versions of jobs, tokens and policies are not
written; summaries of jobs are counted again at the import. They come from --data-dir or from --address, one of the two.

What an agent sends is one state, whatever is written meanwhile; secrets of nodes are not shown. Set
SCHEDULER_TOKEN to the secret of a token if it requires one, and NODE_EXTRA_CA_CERTS to the certificate of the
authority of the agent. A file that is there is not overwritten.`,
  },
  {
    kind: 'local',
    path: 'operator servers',
    summary: 'the servers that share an etcd, and who leads',
    flags: async () => ({ ...(await etcdFlags()), json }),
    about: `${sharedEtcd}

Shows which servers have registered, which one leads, the index of each, the members of etcd and their alarms. Set
SCHEDULER_TOKEN to a token with agent:read if access is controlled, and NODE_EXTRA_CA_CERTS to the certificate of the
servers' CA; otherwise INDEX and LAG are not known. If no etcd is named but SCHEDULER_ADDR is set, that agent is queried
for the servers and the leader. Exits with 1 without a leader, if a server or member does not respond, or for an alarm.`,
  },
  {
    kind: 'local',
    path: 'operator snapshot save',
    summary: 'a backup of that etcd',
    positionals: [{ name: 'FILE', help: 'where to write it', complete: 'files' }],
    flags: etcdFlags,
    about: `${sharedEtcd}

Writes the whole etcd into a file that only its owner may read. A file that is there is not overwritten. With users of
etcd it takes the rights of root.`,
  },
  {
    kind: 'local',
    path: 'operator snapshot restore',
    summary: 'print how to restore such a backup',
    positionals: [{ name: 'FILE', help: 'the backup', complete: 'files' }],
    flags: etcdFlags,
    about: `${sharedEtcd}

Checks whether FILE is complete, and prints the steps by which etcd's own tool restores it to the members. It changes
nothing itself.`,
  },
  {
    kind: 'local',
    path: 'completion',
    summary: 'what a shell needs to complete command lines: source <(scheduler completion bash)',
    positionals: [{ name: 'SHELL', help: shells.join(', '), complete: shells }],
    about: `Writes what a shell needs to complete command lines: commands, flags, IDs and values that the agent knows, fields of
filters. The agent is queried for at most one second.`,
    examples: [
      ['source <(scheduler completion bash)', 'in ~/.bashrc'],
      ['source <(scheduler completion zsh)', 'in ~/.zshrc, after compinit'],
      ['scheduler completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
  },
  {
    kind: 'local',
    path: 'version',
    summary: 'the version of this program, and the commit that it was built from',
    flags: { json },
  },
  {
    kind: 'local',
    path: 'help',
    summary: 'more about a topic: settings, filters, or a command',
    positionals: [
      {
        name: 'TOPIC',
        help: 'a command, settings or filters',
        isOptional: true,
        repeats: true,
        complete: ['settings', 'filters'],
      },
    ],
  },
];
