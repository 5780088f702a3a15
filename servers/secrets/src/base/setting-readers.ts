import { converted, duration, type Fields, type Reader } from '@tamis/config';

/** Maximum duration of a setting, in ns: the limit of timers. */
const maxDurationNs = 2_147_483_647_000_000n;

/** A duration of at least 1 ms, in ms; a bare number is in seconds. */
export const milliseconds: Reader<number> = converted(
  duration({ seconds: true, days: true, min: 1_000_000n, max: maxDurationNs }),
  (nanoseconds) => Number(nanoseconds / 1_000_000n),
);

/** A duration of at least 1 s, in whole seconds. */
export const seconds: Reader<number> = converted(
  duration({ seconds: true, days: true, min: 1_000_000_000n }),
  (nanoseconds) => Number(nanoseconds / 1_000_000_000n),
);

/**
 * Reads the settings of a block into an object: each property has a name in the file and a reader. Missing settings have their
 * defaults.
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
      // Type-safe: each value was read by the reader of its property.
      return { ...defaults, ...(Object.fromEntries(given) as Partial<T>) };
    },
  };
}
