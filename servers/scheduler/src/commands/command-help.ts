import { clientFlags } from './client-flags.js';
import type { ClientCommand, CommandSpec, FlagTable } from './command.js';
import { flagsOf, usageOf } from './find-command.js';

const title =
  'scheduler - runs jobs on many machines, and lists them with filters, pages and blocking queries';

const exitCodes = `exit codes: 0 done, 1 it failed, 2 a deployment failed or not all of a job found a place, 64 a mistake on the
command line (2 for agent, check, import, export, operator, version and help)
`;

/** Commands by what they are about. A command is in the first section that has its first word. */
const sections: readonly (readonly [title: string, words: readonly string[] | null])[] = [
  ['this machine', ['agent', 'check', 'import', 'export', 'operator', 'completion', 'version', 'help']],
  ['a cluster, by way of an agent', null],
];

/** The overview of all commands, in sections. */
export function overview(table: readonly CommandSpec[]): string {
  const shown = sections.map(([name, words]) => {
    const own = table.filter(({ path }) => {
      const first = path.split(' ')[0] ?? '';
      return words === null ? !sections.some(([, others]) => others?.includes(first)) : words.includes(first);
    });
    return `${name}:\n${commandRows(own)}`;
  });
  return `${title}

usage: scheduler COMMAND [arguments] [flags]

${shown.join('\n')}
scheduler COMMAND --help tells more of a command, scheduler help TOPIC of settings and filters.
Begin with scheduler agent --dev --raw-exec, and scheduler job run FILE in another window.

${exitCodes}`;
}

/** What there is below a word such as `job`. */
export function groupHelp(table: readonly CommandSpec[], group: string): string {
  const own = table.filter(({ path }) => path.startsWith(`${group} `));
  return `usage: scheduler ${group} COMMAND [arguments] [flags]

${commandRows(own)}
scheduler ${group} COMMAND --help tells more.
`;
}

function commandRows(commands: readonly CommandSpec[]): string {
  const rows = commands.map(
    ({ path, positionals, summary }) => [usageOf(path, positionals), summary] as const,
  );
  return columns(rows, 34);
}

/** The help on one command. */
export function commandHelp(command: ClientCommand): string {
  const { path, positionals, flags, about, examples, summary } = command;
  const all = flagsOf(command);
  const commonFlags = Object.fromEntries(
    Object.keys(clientFlags).map((name) => [name, all[name] ?? { help: '' }]),
  );
  const parts = [
    `usage: scheduler ${usageOf(path, positionals)} [flags]\n\n${about ?? `Shows ${summary}.`}\n`,
    columns(
      positionals.map(({ name, help }) => [name, help]),
      24,
    ),
    Object.keys(flags).length === 0 ? '' : `flags:\n${flagRows(flags)}`,
    `flags of every command that asks an agent:\n${flagRows(commonFlags)}`,
    examples.length === 0 ? '' : `examples:\n${columns(examples, 48)}`,
    exitCodes,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function flagRows(flags: FlagTable): string {
  const rows = Object.entries(flags).map(([name, { short, value, repeats, help }]) => {
    const written = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
    return [written, `${help}${repeats === true ? '; may be repeated' : ''}`] as const;
  });
  return columns(rows, 26);
}

/** Two columns; where the first is too wide the second goes on below. */
function columns(rows: readonly (readonly [string, string])[], width: number): string {
  return rows
    .map(([left, right]) =>
      left.length < width
        ? `  ${left.padEnd(width)}${right}\n`
        : `  ${left}\n  ${' '.repeat(width)}${right}\n`,
    )
    .join('');
}
