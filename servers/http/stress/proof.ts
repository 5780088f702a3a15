import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** One figure of a proof. */
export interface Metric {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** Findings of a proof. */
export interface Findings {
  readonly figures: readonly Metric[];
  /** Violated requirements. */
  readonly mistakes: readonly string[];
}

/** Shows the progress of a proof: one line that is overwritten on a terminal. */
export type Progress = (text: string) => void;

/** A number on the command line: its default, its bounds, and its meaning for the help. */
export interface ProofNumber {
  readonly standard: number;
  /** Default: 1. */
  readonly min?: number;
  readonly max?: number;
  readonly help: string;
}

/** The environment of a proof. */
export interface ProofRun<N extends string> {
  readonly numbers: Readonly<Record<N, number>>;
  /** Whether a switch was given. */
  readonly has: (flag: string) => boolean;
  /** An empty folder of its own. */
  readonly directory: string;
  readonly progress: Progress;
}

/** A proof as the command line starts it. */
export interface Proof<N extends string> {
  /** What it shows, and when it exits with code 1: lines of at most 118 columns. */
  readonly about: string;
  readonly numbers: Readonly<Record<N, ProofNumber>>;
  /** Switches, with their meaning. */
  readonly switches?: Readonly<Record<string, string>>;
  readonly run: (given: ProofRun<N>) => Promise<Findings>;
  /** Printed if there are errors, for their analysis; then the folder is kept. */
  readonly clue?: (given: ProofRun<N>) => string;
}

/** Maximum number of errors listed one by one. */
const maxReported = 20;

/** Runs a proof with the flags of the process, and prints its findings. Exits with code 1 if there are errors. */
export async function runProof<N extends string>({
  about,
  numbers,
  switches = {},
  run,
  clue,
}: Proof<N>): Promise<void> {
  const named = Object.entries<ProofNumber>(numbers);
  const flags = { ...switches, json: 'the figures as JSON', help: 'this text' };
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(named.map(([name]) => [name, { type: 'string' } as const])),
      ...Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'boolean' } as const])),
    },
  });
  if (values['help'] === true) {
    const rows = [
      ...named.map(([name, { standard: defaults, help }]) => [`${name} N`, `${help} (${defaults})`]),
      ...Object.entries(flags),
    ].map(([name = '', help = '']) => `  --${name.padEnd(16)} ${help}\n`);
    process.stdout.write(`${about}\n\n${rows.join('')}`);
    return;
  }
  const read = named.map(([name, range]) => [name, wholeNumber(name, values[name], range)] as const);
  const given: ProofRun<N> = {
    // Each of the names has its number.
    numbers: Object.fromEntries(read) as Record<N, number>,
    has: (flag) => values[flag] === true,
    directory: mkdtempSync(join(tmpdir(), 'proof-')),
    progress: terminalProgress(process.stderr),
  };
  const findings = await run(given);
  const { figures, mistakes } = findings;
  process.stdout.write(given.has('json') ? `${JSON.stringify(findings)}\n` : printMetrics(figures));
  for (const mistake of mistakes.slice(0, maxReported)) process.stderr.write(`Not so: ${mistake}\n`);
  if (mistakes.length > 0 && clue !== undefined) process.stderr.write(`${clue(given)}\n`);
  else rmSync(given.directory, { recursive: true });
  process.exitCode = mistakes.length === 0 ? 0 : 1;
}

/** A number of the command line. @throws RangeError */
export function wholeNumber(
  name: string,
  given: string | boolean | undefined,
  { standard: defaults, min = 1, max = 2 ** 31 }: Omit<ProofNumber, 'help'>,
): number {
  const value = given === undefined ? defaults : Number(given);
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`--${name} must be a whole number from ${min} to ${max}`);
}

export function terminalProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return () => undefined;
  return (text) => void stream.write(`\r\x1b[K${text}`);
}

/** The figures in columns. */
export function printMetrics(figures: readonly Metric[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const lines = figures.map(({ name, value, unit }) => {
    const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2;
    return `${name.padEnd(width)}  ${value.toFixed(digits).padStart(12)} ${unit}`;
  });
  return `${lines.join('\n')}\n`;
}

/** @param share from 0 to 1, a half for the median. NaN if there are no values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
