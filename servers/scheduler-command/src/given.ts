import { UsageError } from './usage-error.js';

/** The parsed arguments of a command. */
export type Given = ReturnType<typeof createGiven>;

export type FlagValue = string | boolean | readonly (string | boolean)[];

export function createGiven(
  positionals: ReadonlyMap<string, readonly string[]>,
  flags: Readonly<Record<string, FlagValue | undefined>>,
) {
  const texts = (flag: string): readonly string[] => {
    const value = flags[flag];
    if (value === undefined || typeof value === 'boolean') return [];
    return typeof value === 'string' ? [value] : value.map(String);
  };
  const text = (flag: string): string | null => texts(flag).at(-1) ?? null;
  return {
    /** Returns a positional argument by name; null if omitted. */
    argument: (name: string): string | null => positionals.get(name)?.[0] ?? null,
    /** Returns all values of a repeatable argument. */
    all: (name: string): readonly string[] => positionals.get(name) ?? [],
    /** Returns a required argument. */
    required(name: string): string {
      const [value] = positionals.get(name) ?? [];
      if (value === undefined) throw new TypeError(`${name} is no argument that must be there`);
      return value;
    },
    has: (flag: string): boolean => flags[flag] !== undefined && flags[flag] !== false,
    /** Returns whether a switch was turned on, or off as by `--no-sample`; null if not given. */
    switched: (flag: string): boolean | null => (typeof flags[flag] === 'boolean' ? flags[flag] : null),
    /** Returns the value of a flag, the last one if repeated; null if missing. */
    text,
    texts,
    /** Returns an integer. @throws UsageError */
    count(flag: string): number | null {
      const written = text(flag);
      if (written === null) return null;
      if (/^\d{1,15}$/.test(written)) return Number(written);
      throw new UsageError(`--${flag} is a whole number, not ${JSON.stringify(written.slice(0, 40))}`);
    },
  };
}

/** @throws UsageError if it is not `KEY=VALUE` */
export function readPair(flag: string, text: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`--${flag} is KEY=VALUE, not ${JSON.stringify(text.slice(0, 40))}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
