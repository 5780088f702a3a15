import { flagsHelp, pathsHelp } from '../settings/settings-help.js';

const agent = (): string => `usage: scheduler agent [--dev] [--config FILE]... [flags]

  --dev                               server and client in memory, with profiles and debug logs
  --config FILE                       settings in HCL or JSON; a directory stands for its .hcl and .json files

A flag counts more than a variable of the environment, a variable more than a file, a later file more than an earlier
one. scheduler help settings has the names for files and variables.

${flagsHelp()}The agent prints where it listens. SIGTERM and SIGINT let everybody who waits answer, then end it.

examples:
  scheduler agent                                          look around in a sample cluster
  scheduler agent --data-dir /var/lib/scheduler            a cluster that survives
  scheduler agent --config /etc/scheduler --log-level warn
  scheduler agent --no-sample --port 0                     nothing, on any free port
`;

const settings = (): string => `Every setting by its path in a file, and its variable of the environment.

A path is a key inside blocks; a label is a part of it. In HCL, or the same in JSON:

  region = "west"
  ports { http = 4700 }
  plugin "raw_exec" { config { enabled = true } }
  regions { east = ["https://10.0.0.1:4646"] }
  membership { member "srv2.global" { address = "10.0.0.2:4648" status = "failed" tags { role = "scheduler" } } }

In a variable, lists stand between commas, and maps as key=value between commas, or as JSON. Switches are true or
false, times such as "20s" or "1m30s". An empty variable counts as none.

${pathsHelp()}scheduler help agent says what they do. scheduler check FILE finds what is wrong with a file.
`;

const filters = `A filter is an expression over the full object, given as ?filter=, percent-encoded:

  Status == "running" and Priority == 80        compare; numbers may be quoted or not
  "dc1" in Datacenters                          lists, and substrings of text
  Attributes["cpu.arch"] == "arm64"             map keys that are no names
  ID matches "^web-[0-9]+"                      regular expressions
  any TaskGroups as g { g.Count == 3 }          elements of a list
  Meta is empty   ·   not (A or B)   ·   != , not in , not contains , not matches

  curl -s --get localhost:4646/v1/jobs --data-urlencode 'filter=Priority == 80'
  scheduler job status --filter 'Priority == 80'
`;

const check = `usage: scheduler check [--json] FILE...

Reads configuration files as the agent would, one over the other, and reports every mistake with its place:

  agent.hcl:3:10: ports.http: expected a whole number from 0 to 65535, found "x"

Variables of the environment are not looked at. With --json the answer is one object {"valid", "mistakes": [{"source",
"line", "column", "setting", "problem"}]}; a line of 0 means that the mistake has no line.

exit codes: 0 no mistakes, 1 mistakes, 2 a mistake on the command line
`;

const importHelp = `usage: scheduler import FILE --data-dir DIR [--json]

Fills an empty store from FILE, one JSON object a line; - is standard input:

  {"kind":"job","object":{"ID":"web","Priority":70,"TaskGroups":[{"Name":"web","Count":3}]}}

Kinds are namespace, node, job, deployment, evaluation, allocation. Absent fields get the zero value of their kind,
indexes stay as they are. A file with a mistake is not imported at all, and a store that holds something is left as it
is. With --json the counts are one object {"imported": {kind: count}, "index"}.
`;

const exportHelp = `usage: scheduler export (--data-dir DIR | --address URL) [--output FILE]

Writes all namespaces, nodes, jobs, deployments, evaluations and allocations, one JSON object a line, as
scheduler import reads them. Integers keep all their digits. Earlier versions of jobs, tokens and policies are not
written; summaries of jobs are counted again at the import.

  --data-dir DIR    a store, while no agent runs on it
  --address URL     a running agent. It is read page by page, so what changes meanwhile may be there in part; secrets
                    of nodes are not shown. Set SCHEDULER_TOKEN to the secret of a token if it asks for one, and
                    NODE_EXTRA_CA_CERTS to the certificate of whoever signed that of the agent
  --output FILE     instead of standard output; only its owner may read it. A file that is there is not overwritten
`;

const operator = `usage: scheduler operator servers [--json] [--config FILE]... [--etcd-endpoint URL]...
       scheduler operator snapshot save FILE [--config FILE]... [--etcd-endpoint URL]...
       scheduler operator snapshot restore FILE [--config FILE]... [--etcd-endpoint URL]...

About several servers that keep their state in one etcd. They find it as the servers do: by their files of settings, by
the variables of the environment, or by --region and the flags that begin with --etcd- (scheduler help agent).

  servers            who has registered, who leads, how far each has come, the members of etcd and their alarms. Set
                     SCHEDULER_TOKEN to a token with agent:read where access is controlled, and NODE_EXTRA_CA_CERTS to
                     the certificate of whoever signed those of the servers; else INDEX and LAG are not known. Where
                     no etcd is named and SCHEDULER_ADDR is, the agent there is asked who is there and who leads
  snapshot save      the whole etcd as a file that only its owner may read: a backup. A file that is there is not
                     overwritten. With users of etcd it takes the rights of root
  snapshot restore   looks whether FILE is whole, and tells the steps by which etcd's own tool puts it in the place of
                     what the members hold. It changes nothing itself

exit codes: 0 all is well, 1 it failed, or there is no leader, a server or member that does not answer, or an alarm,
2 a mistake on the command line
`;

const completion = `usage: scheduler completion bash|zsh|fish

Writes what a shell needs to complete command lines: commands, flags, IDs and values that the agent knows, fields of
filters. The agent is asked for a second at most.

  source <(scheduler completion bash)          in ~/.bashrc
  source <(scheduler completion zsh)           in ~/.zshrc, behind compinit
  scheduler completion fish | source           in ~/.config/fish/config.fish
`;

const topics: ReadonlyMap<string, () => string> = new Map([
  ['agent', agent],
  ['settings', settings],
  ['filters', () => filters],
  ['check', () => check],
  ['import', () => importHelp],
  ['export', () => exportHelp],
  ['operator', () => operator],
  ['completion', () => completion],
]);

/** Names of what the help tells more about. */
export const helpTopics: readonly string[] = [...topics.keys()];

/** The help on a topic; null for what is none. */
export function helpText(topic: string): string | null {
  return topics.get(topic)?.() ?? null;
}
