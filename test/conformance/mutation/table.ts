import { readFileSync, writeFileSync } from 'node:fs';
import type { Case } from '../../../conformance/src/data.mjs';
import type { Change } from './propose.js';

/** A change of the engine, and what the suite said to it. */
export interface Mutation extends Change {
  /** Never used for another change. */
  readonly id: string;
  /** Run against all cases at once: none of the first ones detects it. */
  readonly whole?: true;
  /** How many of the cases that were put failed; absent where all passed. */
  readonly killed?: number;
  /** Some of them. */
  readonly by?: readonly string[];
  /** The engine did not come back from the last one. */
  readonly end?: 'hung';
  /** Why no case can detect the change. */
  readonly why?: string;
}

export interface Table {
  readonly mutations: readonly Mutation[];
  /** The mutation that breaks a sentence of the page, and the case of the sentence that detects it. */
  readonly sentences: Readonly<Record<string, readonly [mutation: string, by: string]>>;
}

const path = new URL('../../../conformance/mutations.json', import.meta.url);

export function readTable(): Table {
  return JSON.parse(readFileSync(path, 'utf8')) as Table;
}

/** A mutation a line, so that a change of one is a line of a difference. */
export function writeTable({ mutations, sentences }: Table): void {
  const lines = mutations.map((each) => `    ${JSON.stringify(each)}`).join(',\n');
  const names = Object.entries(sentences).map(
    ([id, found]) => `    ${JSON.stringify(id)}: ${JSON.stringify(found)}`,
  );
  const text = `{\n  "mutations": [\n${lines}\n  ],\n  "sentences": {\n${names.join(',\n')}\n  }\n}\n`;
  writeFileSync(path, text);
}

/** The cases that a mutation fails, of those that were put. */
export interface Outcome {
  readonly id: string;
  readonly failed: readonly Case[];
  readonly requests: number;
}

/** Maximum number of cases of a sentence that a mutation may fail: a mutation that breaks everything detects nothing. */
const broadest = 0.1;

/**
 * For each sentence the mutation that breaks the fewest cases, one of the sentence's among them; in the order of `names`. A sentence
 * that none breaks is left out.
 */
export function assignSentences(outcomes: readonly Outcome[], names: readonly string[]): Table['sentences'] {
  const narrow = outcomes
    .filter(({ failed, requests }) => failed.length <= requests * broadest)
    .sort((a, b) => a.failed.length / a.requests - b.failed.length / b.requests);
  return Object.fromEntries(
    names.flatMap((name) => {
      for (const { id, failed } of narrow) {
        const by = failed.find(({ sentences }) => sentences.includes(name));
        if (by !== undefined) return [[name, [id, by.id]] as const];
      }
      return [];
    }),
  );
}
