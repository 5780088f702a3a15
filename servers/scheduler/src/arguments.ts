import { parseArgs, type ParseArgsConfig } from 'node:util';
import { defaultAgentConfig, logLevels, type AgentConfig, type Fill, type LogLevel } from './agent-config.js';

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'agent'; readonly config: AgentConfig }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

/** A command line that cannot be followed. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const options = {
  bind: { type: 'string' },
  port: { type: 'string' },
  region: { type: 'string' },
  'bootstrap-expect': { type: 'string' },
  import: { type: 'string' },
  sample: { type: 'boolean' },
  'no-sample': { type: 'boolean' },
  'host-name': { type: 'string', multiple: true },
  'response-header': { type: 'string', multiple: true },
  unresolved: { type: 'string' },
  'max-connections-per-client': { type: 'string' },
  'max-waiters': { type: 'string' },
  'log-level': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies ParseArgsConfig['options'];

export const help = `scheduler - lists of jobs, nodes and deployments over HTTP, with filters, pages and blocking queries

usage:
  scheduler agent [options]     start an agent
  scheduler --help | --version

what it holds:
  --sample                      5,000 jobs, 400 nodes and 800 deployments, made up and the same every time (default)
  --import FILE                 the cluster in FILE, one object a line: {"kind":"node","object":{"ID":"...", ...}}
                                kinds: namespace, node, job, deployment, evaluation, allocation
  --no-sample                   nothing but the namespace "default"

where it listens:
  --bind ADDRESS                default ${defaultAgentConfig.bind}; anything else is open to whoever can reach it
  --port PORT                   default ${defaultAgentConfig.port}; 0 takes any free one
  --host-name NAME              one more name to answer to on loopback, may be repeated
  --response-header 'NAME: VALUE'  a header for every answer, may be repeated

how it behaves:
  --region NAME                 default ${defaultAgentConfig.region}
  --bootstrap-expect N          servers needed for a leader, default ${defaultAgentConfig.bootstrapExpect}; with more there is none: only stale reads
  --unresolved error|absent     a filter meets a row that lacks the field: refuse the request (default), or pass over it
  --max-connections-per-client N  default ${defaultAgentConfig.http.maxConnectionsPerClient}; 0 for any number
  --max-waiters N               blocking queries that may wait at a time, default ${defaultAgentConfig.maxWaiters}
  --log-level LEVEL             ${logLevels.join(', ')}; default ${defaultAgentConfig.logLevel}. Logs go to standard error

a filter is an expression over the full object:
  Status == "running" and Priority == 80        compare; numbers may be quoted or not
  "dc1" in Datacenters                          lists, and substrings of text
  Attributes["cpu.arch"] == "arm64"             map keys that are no names
  ID matches "^web-[0-9]+"                      regular expressions
  any TaskGroups as g { g.Count == 3 }          elements of a list
  Meta is empty   ·   not (A or B)   ·   != , not in , not contains , not matches
`;

/**
 * Reads the command line, without the program's own name.
 *
 * @throws UsageError
 */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = readOptions(args);
  if (values.version === true || positionals[0] === 'version') return { kind: 'version' };
  if (values.help === true || positionals.length === 0 || positionals[0] === 'help') return { kind: 'help' };
  const [command, ...rest] = positionals;
  if (command !== 'agent')
    throw new UsageError(`There is no command "${String(command)}": try scheduler agent`);
  if (rest.length > 0) throw new UsageError(`Unexpected "${rest.join(' ')}" behind agent`);
  const defaults = defaultAgentConfig;
  return {
    kind: 'agent',
    config: {
      ...defaults,
      bind: values.bind ?? defaults.bind,
      port: parseCount('--port', values.port, defaults.port, 65_535),
      region: values.region ?? defaults.region,
      bootstrapExpect: parseCount(
        '--bootstrap-expect',
        values['bootstrap-expect'],
        defaults.bootstrapExpect,
        1_000,
      ),
      fill: parseFill(values),
      hostNames: values['host-name'] ?? defaults.hostNames,
      responseHeaders: parseHeaders(values['response-header'] ?? []),
      unresolved: parseChoice('--unresolved', values.unresolved, ['error', 'absent'], defaults.unresolved),
      logLevel: parseChoice<LogLevel>('--log-level', values['log-level'], logLevels, defaults.logLevel),
      maxWaiters: parseCount('--max-waiters', values['max-waiters'], defaults.maxWaiters, 1_000_000),
      http: {
        ...defaults.http,
        maxConnectionsPerClient: parseCount(
          '--max-connections-per-client',
          values['max-connections-per-client'],
          defaults.http.maxConnectionsPerClient,
          1_000_000,
        ),
      },
    },
  };
}

type Parsed = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;

function readOptions(args: readonly string[]): Parsed {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The first sentence says what is wrong; the others explain the parser.
    const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('. ', 1);
    throw new UsageError(problem);
  }
}

/** The sample is the default, so asking for something else replaces it wherever it stands. */
function parseFill(values: Parsed['values']): Fill {
  if (values.import !== undefined) return { kind: 'import', file: values.import };
  return values['no-sample'] === true ? { kind: 'nothing' } : { kind: 'sample' };
}

/** Headers that say where an answer ends and how to read it. */
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'transfer-encoding',
]);

/** Names are tokens, values printable text: anything else could end the header and begin another (RFC 9110, 5). */
function parseHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([!-~](?:[ -~]*[!-~])?)[ \t]*$/.exec(line) ?? [];
      if (framing.has(name?.toLowerCase() ?? '')) throw new UsageError(`${name} is set by the server itself`);
      if (name !== undefined && value !== undefined) return [name, value] as const;
      throw new UsageError(`--response-header is "Name: value", not "${line}"`);
    }),
  );
}

function parseCount(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (count <= most) return count;
  throw new UsageError(`${name} is a whole number from 0 to ${most}, not "${text}"`);
}

function parseChoice<T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
  fallback: T,
): T {
  if (text === undefined) return fallback;
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} is one of ${choices.join(', ')}, not "${text}"`);
}
