import { isDeepStrictEqual } from 'node:util';

/** One of examples/frameworks. */
export interface Example {
  readonly start: (port: number) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>;
}

/** The table of the examples. */
export interface Jobs {
  put(row: object): unknown;
  delete(key: string): unknown;
}

export interface Pool {
  readonly waiting: number;
}

/** The report of the filter `Stauts == dead`. */
export const carets = /Stauts == dead\n\s*\| \^{6}\n\s*hint: did you mean Status\?/;

/** Imports a package as the examples do. */
export type ImportPackage = (name: string) => Promise<unknown>;

/** Reports a problem if a value is not the expected one. */
export type Check = (what: string, got: unknown, expected: unknown) => void;

export class Problems {
  readonly all: string[] = [];

  add(name: string, problem: string): void {
    this.all.push(`${name}: ${problem}`);
  }

  of(name: string): Check {
    return (what, got, expected) => {
      const isSame =
        expected instanceof RegExp && typeof got === 'string'
          ? expected.test(got)
          : isDeepStrictEqual(got, expected);
      if (!isSame)
        this.add(name, `${what}: expected ${String(textOf(expected))}, got ${String(textOf(got))}`);
    };
  }
}

function textOf(value: unknown): unknown {
  return value instanceof RegExp ? value : JSON.stringify(value);
}

/** Waits until a condition is true. @throws Error after ten seconds. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`waited for ten seconds: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
