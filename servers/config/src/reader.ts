import type { ConfigNull, ConfigValue } from './config-tree.js';
import type { Position } from './position.js';

/** A value that is set; a reader never sees `null`, which means not set. */
export type GivenValue = Exclude<ConfigValue, ConfigNull>;

/** One time that a setting is written. */
export interface Occurrence {
  /** The position of its key. */
  readonly at: Position;
  readonly value: GivenValue;
}

/** All that is written for one setting. */
export interface Given {
  readonly path: string;
  /** In the order of the text; a repeated key has several. */
  readonly occurrences: readonly [Occurrence, ...Occurrence[]];
}

/** Where readers report what they find. */
export interface Report {
  mistake(at: Position, path: string, problem: string): void;
  /**
   * An unknown key: an error or a warning, as the caller of the decoder chose. The problem is a function if composing the message
   * takes time.
   */
  unknown(at: Position, path: string, problem: string | (() => string)): void;
}

/** The form of a value where everything is text, as in flags and variables. */
export type TextForm =
  /** One text. */
  | 'text'
  /** A boolean: a flag without a value, or with the prefix `--no-`. */
  | 'switch'
  /** Items between commas, or a flag that comes again. */
  | 'list'
  /** `key=value` between commas, or a flag that comes again. */
  | 'map'
  /** The same, where a key may come again and gets a list. */
  | 'lists';

/** Turns what is written for one setting into its value. */
export interface Reader<T> {
  /** Returns `undefined` after it has reported a mistake. */
  readonly read: (given: Given, report: Report) => T | undefined;
  /** Whether a block that lacks the setting is a mistake. */
  readonly required?: true;
  /** How strings are converted to a value; left out if only files can set it. */
  readonly form?: TextForm;
}

export interface RequiredReader<T> extends Reader<T> {
  readonly required: true;
}

/** The type of the values that a reader makes. */
export type ValueOf<R> = R extends Reader<infer T> ? T : never;

/** Makes a setting one that its block must have. */
export function required<T>(reader: Reader<T>): RequiredReader<T> {
  return { ...reader, required: true };
}

/**
 * Converts or checks what another reader has made. `refuse` reports a mistake with the problem that it is given, and
 * ends the conversion.
 */
export function converted<T, U>(
  reader: Reader<T>,
  convert: (value: T, refuse: (problem: string) => never) => U,
): Reader<U> {
  return {
    ...formOf(reader),
    read(given, report) {
      const value = reader.read(given, report);
      if (value === undefined) return undefined;
      try {
        return convert(value, (problem) => {
          throw new Refusal(problem);
        });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        report.mistake(given.occurrences[0].value.at, given.path, error.message);
        return undefined;
      }
    },
  };
}

/** A reader that takes only what a test says is right; `problem` says what is expected. */
export function checked<T>(reader: Reader<T>, isRight: (value: T) => boolean, problem: string): Reader<T> {
  return converted(reader, (value, refuse) => (isRight(value) ? value : refuse(problem)));
}

/** What others make of a value does not change how it is written. */
function formOf({ form }: Reader<unknown>): Pick<Reader<unknown>, 'form'> {
  return form === undefined ? {} : { form };
}

/** How a conversion ends early. It never leaves this file. */
class Refusal extends Error {}

/** A value with its place, for mistakes that are found later. */
export interface Located<T> {
  readonly value: T;
  readonly at: Position;
}

/** Returns a value together with its position. */
export function located<T>(reader: Reader<T>): Reader<Located<T>> {
  return {
    ...formOf(reader),
    read(given, report) {
      const value = reader.read(given, report);
      return value === undefined ? undefined : { value, at: given.occurrences[0].value.at };
    },
  };
}

/** The value as it was read, all kinds allowed. */
export function anything(): Reader<ConfigValue> {
  return { read: (given, report) => onlyOccurrence(given, report)?.value };
}

/** The one value of a setting that may be written once. Reports every further one. */
export function onlyOccurrence(given: Given, report: Report): Occurrence | undefined {
  const [first, ...others] = given.occurrences;
  for (const { at } of others) {
    const where = first.at.source === at.source && first.at.line > 0 ? ` on line ${first.at.line}` : '';
    report.mistake(at, given.path, `is already set${where}`);
  }
  return others.length === 0 ? first : undefined;
}
