import type { PluginBuild } from 'esbuild';

/**
 * The choices of a grammar with one token of look-ahead, as `LooksAhead` (traits.ts) takes them. Each has the number that
 * Chevrotain gives its place; tokens are identified by their indexes in the vocabulary.
 */
export interface LookaheadTable {
  /** For OR: the tokens that each alternative begins with, and whether one of them has a GATE. */
  readonly choices: readonly (readonly [
    key: number,
    isGated: boolean,
    tokens: readonly (readonly number[])[],
  ])[];
  /** For OPTION and MANY: the tokens that what may be there begins with. */
  readonly options: readonly (readonly [key: number, tokens: readonly number[]])[];
}

/** The lookahead functions that Chevrotain computed from the grammar; they are called with one token after the other. */
interface AnalysedParser {
  readonly tokensMap: Readonly<Record<string, { readonly tokenTypeIdx: number }>>;
  readonly lookAheadFuncsCache: ReadonlyMap<number, Look>;
}

type Look = (this: object, alternatives: readonly object[]) => number | boolean | undefined;

/** More than any place has. */
const maxAlternatives = 32;

/** Has the whole of Chevrotain analyse the grammar, and returns a module with the result. */
export async function analyseGrammar({ esbuild }: PluginBuild): Promise<string> {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: "export { FilterParser } from './src/language/syntax/parser.ts';",
      resolveDir: process.cwd(),
    },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', logLevel: 'silent' },
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const { FilterParser } = (await import(`data:text/javascript;base64,${code}`)) as {
    readonly FilterParser: new () => AnalysedParser;
  };
  const { choices, options } = tableOf(new FilterParser());
  return `export const choices = ${JSON.stringify(choices)};\nexport const options = ${JSON.stringify(options)};\n`;
}

function tableOf({ tokensMap, lookAheadFuncsCache }: AnalysedParser): LookaheadTable {
  const types = Object.values(tokensMap);
  const choices: [number, boolean, number[][]][] = [];
  const options: [number, number[]][] = [];
  for (const [key, look] of lookAheadFuncsCache) {
    const results = types.map((type) => evaluate(look, type, () => true));
    const isOption = results.some((result) => typeof result === 'boolean');
    if (isOption) options.push([key, placesOf(results, true)]);
    else {
      const isGated = types.some((type, place) => evaluate(look, type, () => false) !== results[place]);
      const last = Math.max(...results.map((result) => (typeof result === 'number' ? result : -1)));
      choices.push([key, isGated, Array.from({ length: last + 1 }, (_, at) => placesOf(results, at))]);
    }
  }
  return { choices, options };
}

function evaluate(look: Look, token: { readonly tokenTypeIdx: number }, GATE: () => boolean): ReturnType<Look> {
  return look.call(
    { LA_FAST: () => token },
    Array.from({ length: maxAlternatives }, () => ({ GATE })),
  );
}

function placesOf(results: readonly unknown[], expected: unknown): number[] {
  return results.flatMap((result, place) => (result === expected ? [place] : []));
}
