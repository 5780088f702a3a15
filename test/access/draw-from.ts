import { Draw } from '../support/draw.js';

/** Draws from a seed (the generator mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed;
  return new Draw((bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  });
}
