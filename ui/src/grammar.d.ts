/** A Lezer grammar, which the bundler converts to a parser. */
declare module '*.grammar' {
  import type { LRParser } from '@lezer/lr';

  export const parser: LRParser;
}
