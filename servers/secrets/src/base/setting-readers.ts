import { converted, duration, type Fields, type Reader } from '@tamis/config';

/** Longest time that a setting may name: what a timer can count. */
const maxDurationNs = 2_147_483_647_000_000n;

/** A time of at least a millisecond, in milliseconds; numbers are seconds. */
export const milliseconds: Reader<number> = converted(
  duration({ seconds: true, days: true, min: 1_000_000n, max: maxDurationNs }),
  (nanoseconds) => Number(nanoseconds / 1_000_000n),
);

/** A time of at least a second, in whole seconds. */
export const seconds: Reader<number> = converted(
  duration({ seconds: true, days: true, min: 1_000_000_000n }),
  (nanoseconds) => Number(nanoseconds / 1_000_000_000n),
);

/**
 * Settings of a block that make one object: for each property the name in the file and the reader. What the block
 * lacks is as in the defaults.
 */
export function settingsOf<T extends object>(
  defaults: T,
  settings: { readonly [N in keyof T]?: readonly [name: string, reader: Reader<T[N]>] },
): { readonly fields: Fields; read(values: Readonly<Record<string, unknown>>): T } {
  const rows = Object.entries(settings as Readonly<Record<string, readonly [string, Reader<unknown>]>>);
  return {
    fields: Object.fromEntries(rows.map(([, row]) => row)),
    read(values) {
      const given = rows.flatMap(([property, [name]]) => {
        const value = values[name];
        return value === undefined ? [] : [[property, value] as const];
      });
      // Each value was made by the reader of its property.
      return { ...defaults, ...(Object.fromEntries(given) as Partial<T>) };
    },
  };
}
