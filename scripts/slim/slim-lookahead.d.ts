// Made by the plugin: see lookahead.ts.
declare module 'slim:lookahead' {
  import type { LookaheadTable } from './lookahead.js';

  export const choices: LookaheadTable['choices'];
  export const options: LookaheadTable['options'];
}
