import type { Suggestion } from '../diagnostics/errors.js';
import type { Expression } from './ast.js';
import type { Level, Relaxation } from './dialect.js';
import type { Failure } from './failure.js';
import type { FieldKnowledge } from './field-knowledge.js';

/** Advice on a syntax error: what was probably meant. */
export interface ProvidedHint {
  /** Replaces the label; undefined to keep it. */
  readonly label: string | undefined;
  readonly hint: string | null;
  readonly suggestions: readonly Suggestion[];
}

/** Returns advice on a source that is not a valid filter. */
export type HintProvider = (
  source: string,
  failure: Failure,
  reading: Reading,
  fields: FieldKnowledge | null,
) => ProvidedHint;

/** How the failed source was parsed. */
export interface Reading {
  readonly level: Level;
  readonly attempt: Attempt;
  /** The level 1 features of a source that is a valid filter at level 1, if level 0 was requested. */
  readonly levelOneUses: () => readonly Relaxation[];
}

/** The result of parsing a corrected source: the tree, or the offset of its first mistake. */
export type Attempt = (source: string) => Expression | number;

let handedIn: HintProvider | null = null;

/** Returns the installed hint provider; null until one is installed, so that browser bundles need not include the hints. */
export function hintProvider(): HintProvider | null {
  return handedIn;
}

/** Installs a hint provider. All later syntax errors include its suggestions. */
export function setHintProvider(provider: HintProvider): void {
  handedIn = provider;
}
