/** A Lezer grammar, which the bundler turns into a parser. */
declare module '*.grammar' {
  import type { LRParser } from '@lezer/lr';

  export const parser: LRParser;
}
