import { converted, duration, type Reader } from '@tamis/config';

/** Longest time that a setting may name: what a timer can count. */
const longest = 2_147_483_647_000_000n;

/** A time of at least a millisecond, in milliseconds; numbers are seconds. */
export const milliseconds: Reader<number> = converted(
  duration({ seconds: true, min: 1_000_000n, max: longest }),
  (nanoseconds) => Number(nanoseconds / 1_000_000n),
);

/** A time of at least a second, in whole seconds. */
export const seconds: Reader<number> = converted(
  duration({ seconds: true, min: 1_000_000_000n }),
  (nanoseconds) => Number(nanoseconds / 1_000_000_000n),
);
