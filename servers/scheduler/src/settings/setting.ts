import type { Reader, TextForm } from '@tamis/config';

/** One setting of the agent: where it may come from, and what it may be. */
export interface Setting<T> {
  readonly reader: Reader<T>;
  /** Null where only files can say it. */
  readonly form: TextForm | null;
  /** The flag without its dashes; null where there is none. */
  readonly flag: string | null;
  /** The argument of the flag, for the help. */
  readonly argument: string;
  /** Its meaning, for the help. */
  readonly about: string;
  /** Its value when nobody says, for the help. */
  readonly fallback: string;
}

/** The prefix of all variables. */
export const variablePrefix = 'SCHEDULER_';

/** The variable of the environment that gives the setting at a path. */
export function variableOf(path: string): string {
  return `${variablePrefix}${path.replaceAll('.', '_').toUpperCase()}`;
}
