import { parseArgs, type ParseArgsConfig } from 'node:util';
import { suggestNames } from '../language/diagnostics/suggest.js';
import { UsageError } from './io.js';

/** An option of a command. `value` is the placeholder of its argument in the help; without it, the option takes no argument. */
export interface OptionSpec {
  readonly short?: string;
  readonly value?: string;
  /** The allowed values; any value is allowed if omitted. */
  readonly choices?: readonly string[];
  readonly help: string;
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** A parsed command line. */
export interface Arguments {
  readonly positionals: readonly string[];
  has(option: string): boolean;
  /** Returns the value of an option, the last one if it is given several times. */
  value(option: string): string | null;
  /** Returns all values of an option that may be given several times. */
  values(option: string): readonly string[];
}

/**
 * Parses the arguments of a command. Options are allowed anywhere; `--` ends them.
 * @throws UsageError if an option is unknown, or a value is missing or not among the choices.
 */
export function readArguments(argv: readonly string[], table: OptionTable): Arguments {
  const values = new Map<string, (string | null)[]>();
  const positionals: string[] = [];
  const { tokens } = parseArgs({ args: [...argv], options: configOf(table), strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (spec === undefined) throw unknownOption(token.rawName, table);
    const given = values.get(token.name) ?? [];
    values.set(token.name, [...given, readValue(token.rawName, spec, token.value ?? null)]);
  }
  return {
    positionals,
    has: (option) => values.has(option),
    value: (option) => values.get(option)?.at(-1) ?? null,
    values: (option) => (values.get(option) ?? []).filter((value) => value !== null),
  };
}

function configOf(table: OptionTable): NonNullable<ParseArgsConfig['options']> {
  const config: NonNullable<ParseArgsConfig['options']> = Object.create(null) as object as Record<
    string,
    never
  >;
  for (const [name, { short, value }] of Object.entries(table)) {
    config[name] = {
      type: value === undefined ? 'boolean' : 'string',
      ...(short === undefined ? {} : { short }),
    };
  }
  return config;
}

function readValue(rawName: string, { value, choices }: OptionSpec, given: string | null): string | null {
  if (value === undefined) {
    if (given === null) return null;
    throw new UsageError(`${rawName} takes no value, got ${JSON.stringify(given)}`);
  }
  if (given === null) throw new UsageError(`${rawName} needs a value: ${rawName} ${value}`);
  if (choices === undefined || choices.includes(given)) return given;
  const [nearest] = suggestNames(given, choices, 1);
  const hint = nearest === undefined ? null : `did you mean ${nearest}?`;
  throw new UsageError(`${rawName} is ${choices.join(' or ')}, not ${JSON.stringify(given)}`, hint);
}

function unknownOption(rawName: string, table: OptionTable): UsageError {
  const names = Object.keys(table).map((name) => `--${name}`);
  const [nearest] = rawName.startsWith('--') ? suggestNames(rawName, names, 1) : [];
  const dashes = `an expression that begins with - goes after --: tamis filter -- '-1 in List'`;
  const hint = nearest !== undefined ? `did you mean ${nearest}?` : /^-[0-9]/.test(rawName) ? dashes : null;
  return new UsageError(`there is no option ${rawName}`, hint);
}

/** Returns the value of an option as an integer of at least 1. */
export function readCount(args: Arguments, option: string): number | null {
  const text = args.value(option);
  if (text === null) return null;
  const count = Number(text);
  if (/^[0-9]+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new UsageError(`--${option} must be a whole number of at least 1, not ${JSON.stringify(text)}`);
}
