import { parseArgs, type ParseArgsConfig } from 'node:util';
import { suggestName } from '@tamis/config';
import type { FlagValue } from './given.js';
import { UsageError } from './usage-error.js';

// `parseArgs` of Node reads the flags. A framework such as commander would bring its own words for mistakes and its own help, and the
// flags come from tables.

/** Flags as Node's reader takes them. */
export type FlagOptions = NonNullable<ParseArgsConfig['options']>;

/** A command line without its command. */
export interface ReadFlags {
  readonly values: Readonly<Record<string, FlagValue | undefined>>;
  readonly positionals: readonly string[];
}

/** @throws UsageError with the flag that was most likely meant. */
export function readFlags(args: readonly string[], options: FlagOptions): ReadFlags {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    // The first sentence says what is wrong; the others explain the parser.
    const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('. ', 1);
    const unknown = /^Unknown option '--?([^']+)'/.exec(problem)?.[1];
    const near = unknown === undefined ? null : suggestName(unknown, Object.keys(options));
    throw new UsageError(near === null ? problem : `${problem}: did you mean --${near}?`);
  }
}

/** @throws UsageError for an argument more than a command takes. */
export function refuseMore(command: string, [extra]: readonly string[]): void {
  if (extra !== undefined) throw new UsageError(`Unexpected "${extra}" behind ${command}`);
}
