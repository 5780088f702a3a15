import type { Limits } from '../../language/diagnostics/limits.js';
import { checkOptions, checkSchema, type OptionNames } from '../../language/diagnostics/options.js';
import type { Schema } from '../../language/schema/schema.js';

/** What cannot be converted, and why. */
export interface ConversionProblem {
  /** A path in the converted object, such as `rules[1].operator`; an offset in a string; or a clause of the filter. */
  readonly at: string;
  readonly message: string;
}

/** A converted value, or everything that prevents the conversion. */
export type Conversion<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ConversionProblem[] };

export interface ConvertOptions {
  /** The schema of the rows. It determines how values are converted, and which fields can be null. */
  readonly schema: Schema;
  /** Limits of the filter. `maxLength`, `maxDepth` and `maxTerms` also apply to what is imported. */
  readonly limits?: Partial<Limits>;
}

/** Maximum number of problems of a conversion. */
const maxProblems = 100;

class Refusal extends Error {
  constructor(
    readonly at: string,
    message: string,
    /** Whether the conversion ends, because what is converted is too large. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

/** Stops the conversion of the current part. {@link Attempts.run} records the problem. */
export function refuse(at: string, message: string): never {
  throw new Refusal(at, message, false);
}

/** Stops the whole conversion, because what is converted exceeds a limit. */
export function refuseAll(at: string, message: string): never {
  throw new Refusal(at, message, true);
}

/** Returns the message of a diagnostic without its position, which is one in the source of a filter. */
export function messageOf({ message }: { readonly message: string }): string {
  return message.replace(/^\d+:\d+: /, '');
}

/** Runs the parts of a conversion, so that all problems are found and not only the first. */
export class Attempts {
  readonly problems: ConversionProblem[] = [];

  /** Returns the result of a part; null if it is refused. */
  run<T>(part: () => T): T | null {
    try {
      return part();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.isFinal && this.#isRunning) throw error;
      if (this.problems.length < maxProblems) this.problems.push({ at: error.at, message: error.message });
      return null;
    }
  }

  #isRunning = false;

  #runWhole<T>(whole: () => T): T | null {
    return this.run(() => {
      this.#isRunning = true;
      try {
        return whole();
      } finally {
        this.#isRunning = false;
      }
    });
  }

  finish<T>(whole: () => T): Conversion<T> {
    const value = this.problems.length === 0 ? this.#runWhole(whole) : null;
    const { problems } = this;
    return problems.length > 0 ? { ok: false, problems } : { ok: true, value: value as T };
  }
}

/** @throws TypeError if an option is unknown or invalid, or the schema is missing. */
export function checkConvertOptions<Options extends ConvertOptions>(
  caller: string,
  options: Options,
  names: OptionNames<Omit<Options, keyof ConvertOptions>> = [],
): void {
  checkOptions<Options>(caller, options, ['schema', 'limits', ...names]);
  checkSchema(caller, options.schema);
}
