import type { Suggestion } from '../diagnostics/errors.js';
import type { Expression } from './ast.js';
import type { Level, Relaxation } from './dialect.js';
import type { Failure } from './failure.js';
import type { FieldKnowledge } from './field-knowledge.js';

/** What is said of a refusal by those who know what was probably meant. */
export interface Advice {
  /** Takes the place of the label; undefined where nothing better is known. */
  readonly label: string | undefined;
  readonly hint: string | null;
  readonly suggestions: readonly Suggestion[];
}

/** Knows better what is wrong with a text that is no filter. */
export type Advise = (
  source: string,
  failure: Failure,
  reading: Reading,
  fields: FieldKnowledge | null,
) => Advice;

/** How texts are read where the failure comes from. */
export interface Reading {
  readonly level: Level;
  readonly attempt: Attempt;
  /** What of level 1 the text has where it is a filter there and level 0 was asked for. */
  readonly levelOneUses: () => readonly Relaxation[];
}

/** What becomes of a corrected text: the tree of a filter, or the place of its first mistake. */
export type Attempt = (source: string) => Expression | number;

let handedIn: Advise | null = null;

/** Who advises on texts that are no filters; null until somebody is handed in, so that pages need not load the hints. */
export function adviser(): Advise | null {
  return handedIn;
}

/** Refusals from now on say what was probably meant, wherever texts are read. */
export function adviseBy(advise: Advise): void {
  handedIn = advise;
}
