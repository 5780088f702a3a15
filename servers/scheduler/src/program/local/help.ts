import { flagsHelp, pathsHelp } from './settings-help.js';

const agent = (): string => `usage: scheduler agent [--dev] [--config FILE]... [flags]

  --dev                               server and client in memory, with profiles and debug logs
  --config FILE                       settings in HCL or JSON; a directory means its .hcl and .json files

A flag counts more than a variable of the environment, a variable more than a file, a later file more than an earlier
one. scheduler help settings has the names for files and variables.

${flagsHelp()}The agent prints where it listens. SIGTERM and SIGINT end all waiting requests, then the agent.

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

In a variable, lists are separated by commas, and maps as key=value between commas, or as JSON. Switches are true or
false, times such as "20s" or "1m30s". An empty variable counts as none.

${pathsHelp()}scheduler help agent says what they do. scheduler check FILE finds what is wrong with a file.
`;

// Loads the engine only for help about filters.
const filters = async (): Promise<string> =>
  (await import('@tamis/scheduler-command/filters-help.js')).filtersHelp();

const topics: ReadonlyMap<string, () => string | Promise<string>> = new Map<
  string,
  () => string | Promise<string>
>([
  ['agent', agent],
  ['settings', settings],
  ['filters', filters],
]);

/** The names of the help topics. */
export const helpTopics: readonly string[] = [...topics.keys()];

/** Returns the help on a topic; null if there is no such topic. */
export async function helpText(topic: string): Promise<string | null> {
  return (await topics.get(topic)?.()) ?? null;
}
