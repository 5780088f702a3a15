import { clientFlags } from './client-flags.js';
import type { CommandSpec, FlagSpec } from './command.js';
import { twoColumns } from './terminal/two-columns.js';
import { flagsOf, usageOf } from './find-command.js';

const title =
  'scheduler - runs jobs on many machines, and lists them with filters, pages and blocking queries';

const exitCodes = `exit codes: 0 done, 1 it failed, 2 a deployment failed or not all of a job found a place, 64 a mistake on the
command line (2 for agent, check, import, export, operator, version and help)
`;

/** Sections of the command overview. A command is in the first section that contains its first word. */
const sections: readonly (readonly [title: string, words: readonly string[] | null])[] = [
  ['this machine', ['agent', 'check', 'import', 'export', 'operator', 'completion', 'version', 'help']],
  ['a cluster, by way of an agent', null],
];

/** Returns an overview of all commands, in sections. */
export function overview(table: readonly CommandSpec[]): string {
  const printed = sections.map(([name, words]) => {
    const own = table.filter(({ path }) => {
      const first = path.split(' ')[0] ?? '';
      return words === null ? !sections.some(([, others]) => others?.includes(first)) : words.includes(first);
    });
    return `${name}:\n${commandRows(own)}`;
  });
  return `${title}

usage: scheduler COMMAND [arguments] [flags]

${printed.join('\n')}
scheduler COMMAND --help explains a command, scheduler help TOPIC of settings and filters.
Begin with scheduler agent --dev --raw-exec, and scheduler job run FILE in another window.

${exitCodes}`;
}

/** Returns the subcommands of a word such as `job`. */
export function groupHelp(table: readonly CommandSpec[], group: string): string {
  const own = table.filter(({ path }) => path.startsWith(`${group} `));
  return `usage: scheduler ${group} COMMAND [arguments] [flags]

${commandRows(own)}
scheduler ${group} COMMAND --help explains one command.
`;
}

function commandRows(commands: readonly CommandSpec[]): string {
  return twoColumns(
    commands.map((command) => [usageOf(command), command.summary]),
    34,
  );
}

/** Returns the help on one command. */
export async function commandHelp(command: CommandSpec): Promise<string> {
  const { positionals = [], about, examples = [], kind, summary } = command;
  const all = Object.entries(await flagsOf(command));
  const isCommon = ([name]: readonly [string, FlagSpec]): boolean =>
    kind !== 'local' && Object.hasOwn(clientFlags, name);
  const own = all.filter((flag) => !isCommon(flag));
  const common = all.filter(isCommon);
  const parts = [
    `usage: scheduler ${usageOf(command)}${all.length === 0 ? '' : ' [flags]'}\n\n${about ?? `Shows ${summary}.`}\n`,
    twoColumns(
      positionals.map(({ name, help }) => [name, help]),
      24,
    ),
    own.length === 0 ? '' : `flags:\n${flagRows(own)}`,
    common.length === 0 ? '' : `flags of every command that calls an agent:\n${flagRows(common)}`,
    examples.length === 0 ? '' : `examples:\n${twoColumns(examples, 48)}`,
    exitCodes,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function flagRows(flags: readonly (readonly [string, FlagSpec])[]): string {
  const rows = flags.map(([name, { short, value, repeats, help }]) => {
    const written = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
    return [written, `${help}${repeats === true ? '; may be repeated' : ''}`] as const;
  });
  return twoColumns(rows, 26);
}
