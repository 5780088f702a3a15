import type { ConfigNull, ConfigValue } from './config-tree.js';
import type { Position } from './position.js';

/** A value of a setting. Readers never receive `null`, which means that the setting is not set. */
export type GivenValue = Exclude<ConfigValue, ConfigNull>;

/** One occurrence of a setting in the configuration. */
export interface Occurrence {
  /** The position of its key. */
  readonly at: Position;
  readonly value: GivenValue;
}

/** All occurrences of one setting. */
export interface Given {
  readonly path: string;
  /** The occurrences in source order. A repeated key has several. */
  readonly occurrences: readonly [Occurrence, ...Occurrence[]];
}

/** Receives the mistakes and warnings of readers. */
export interface Report {
  mistake(at: Position, path: string, problem: string): void;
  /**
   * An unknown key: an error or a warning, as the caller of the decoder chose. The problem is a function if composing the message
   * takes time.
   */
  unknown(at: Position, path: string, problem: string | (() => string)): void;
}

/** Form of a value in flags and environment variables, where every value is a string. */
export type TextForm =
  /** A single string. */
  | 'text'
  /** A boolean: a flag without a value, or with the prefix `--no-`. */
  | 'switch'
  /** Comma-separated items, or a repeated flag. */
  | 'list'
  /** Comma-separated `key=value` pairs, or a repeated flag. */
  | 'map'
  /** As `map`, but a key may be repeated, and its values form a list. */
  | 'lists';

/** Converts the occurrences of a setting to its value. */
export interface Reader<T> {
  /** Returns the value of the setting; `undefined` after it has reported a mistake. */
  readonly read: (given: Given, report: Report) => T | undefined;
  /** Whether it is a mistake if a block lacks the setting. */
  readonly required?: true;
  /** Form of the value as strings; absent if only files can set it. */
  readonly form?: TextForm;
}

export interface RequiredReader<T> extends Reader<T> {
  readonly required: true;
}

/** The type of the values that a reader returns. */
export type ValueOf<R> = R extends Reader<infer T> ? T : never;

/** Returns a reader for a required setting. */
export function required<T>(reader: Reader<T>): RequiredReader<T> {
  return { ...reader, required: true };
}

/**
 * Returns a reader that converts or checks the value of another reader. `refuse` reports its argument as a mistake and ends the
 * conversion.
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

/** Returns a reader that only accepts values that pass a test. `problem` is the message for other values. */
export function checked<T>(reader: Reader<T>, isRight: (value: T) => boolean, problem: string): Reader<T> {
  return converted(reader, (value, refuse) => (isRight(value) ? value : refuse(problem)));
}

/** Returns the text form of a reader. Wrapping a reader does not change it. */
function formOf({ form }: Reader<unknown>): Pick<Reader<unknown>, 'form'> {
  return form === undefined ? {} : { form };
}

/** Thrown by `refuse` and caught by `converted`; never leaves this file. */
class Refusal extends Error {}

/** A value with its position, for mistakes that are found only later. */
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

/** Returns a reader that accepts a value of any kind, unchanged. */
export function anything(): Reader<ConfigValue> {
  return { read: (given, report) => onlyOccurrence(given, report)?.value };
}

/** Returns the only occurrence of a setting; reports a mistake for each further occurrence. */
export function onlyOccurrence(given: Given, report: Report): Occurrence | undefined {
  const [first, ...others] = given.occurrences;
  for (const { at } of others) {
    const where = first.at.source === at.source && first.at.line > 0 ? ` on line ${first.at.line}` : '';
    report.mistake(at, given.path, `is already set${where}`);
  }
  return others.length === 0 ? first : undefined;
}
