// Chevrotain without what the filter language does not use of it: recovery, syntax trees, tracing, lists with separators, lines and
// columns, the checks of a grammar and of tokens, the analysis of regular expressions, lodash-es; and without the analysis of the
// grammar, which is made here. The tests of the grammar, which run on the whole of Chevrotain, have made those checks; the
// package's tests run on what is built here.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { analyseGrammar } from './lookahead.js';

const root = process.cwd();
const lodash = join(root, 'scripts/slim/lodash.ts');
const traits = join(root, 'scripts/slim/traits.ts');
const inChevrotain = /[\\/]@?chevrotain[\\/](cst-dts-gen[\\/])?lib[\\/]src[\\/]/;

/** What a module of Chevrotain exports here: names that stay, those that do nothing, and those that must not be used. */
interface Parts {
  readonly retain?: readonly string[];
  readonly idle?: readonly string[];
  readonly absent?: readonly string[];
}

/** By the path in Chevrotain. esbuild fails the build if a module imports a name that is missing here. */
const trimmed: Readonly<Record<string, Parts>> = {
  'scan/lexer.js': {
    retain: [
      'analyzeTokenTypes',
      'charCodeToOptimizedIndex',
      'cloneEmptyGroups',
      'DEFAULT_MODE',
      'LineTerminatorOptimizedTester',
    ],
    absent: ['performRuntimeChecks', 'performWarningRuntimeChecks', 'validatePatterns'],
  },
  'scan/reg_exp.js': {
    absent: ['canMatchCharCode', 'failedOptimizationPrefixMsg', 'getOptimizedStartCodesIndices'],
  },
  'scan/reg_exp_parser.js': { idle: ['clearRegExpParserCache'], absent: ['getRegExpAst'] },
  'scan/lexer_errors_public.js': {
    absent: ['defaultLexerErrorProvider'],
  },
  'parse/errors_public.js': {
    absent: [
      'defaultParserErrorProvider',
      'defaultGrammarResolverErrorProvider',
      'defaultGrammarValidatorErrorProvider',
    ],
  },
  'generate.js': { absent: ['genDts'] },
  'parse/grammar/checks.js': {
    absent: [
      'validateAmbiguousAlternationAlternatives',
      'validateEmptyOrAlternative',
      'validateGrammar',
      'validateLookahead',
      'validateNoLeftRecursion',
      'validateRuleIsOverridden',
      'validateSomeNonEmptyLookaheadPath',
      'validateTooManyAlts',
    ],
  },
  'parse/grammar/follow.js': { absent: ['computeAllProdsFollows'] },
  'parse/grammar/gast/gast_resolver_public.js': { absent: ['resolveGrammar', 'validateGrammar'] },
  'parse/grammar/lookahead.js': {
    absent: ['getLookaheadPaths', 'getLookaheadPathsForOptionalProd', 'getLookaheadPathsForOr', 'PROD_TYPE'],
  },
  'parse/grammar/llk_lookahead.js': { absent: ['LLkLookaheadStrategy'] },
  'parse/grammar/interpreter.js': {
    absent: [
      'NextTerminalAfterAtLeastOneSepWalker',
      'NextTerminalAfterAtLeastOneWalker',
      'NextTerminalAfterManySepWalker',
      'NextTerminalAfterManyWalker',
    ],
  },
};

const replaced: ReadonlySet<string> = new Set([
  'parse/parser/traits/recoverable.js',
  'parse/parser/traits/tree_builder.js',
  'parse/parser/traits/context_assist.js',
  'parse/parser/traits/perf_tracer.js',
  'parse/parser/traits/gast_recorder.js',
  'parse/parser/traits/looksahead.js',
]);

/** Methods that nothing calls here, by the path in Chevrotain. */
export const uncalled: Readonly<Record<string, RegExp>> = {
  // What the grammar calls: CONSUME to CONSUME4, SUBRULE, SUBRULE2, OPTION, OPTION2, OR, OR2, MANY and RULE.
  'parse/parser/traits/recognizer_api.js':
    /^(?:consume|subrule|option|or|many|atLeastOne|CONSUME[15-9]|(?:SUBRULE|OPTION|OR)[13-9]|MANY[1-9]|(?:MANY_SEP|AT_LEAST_ONE|AT_LEAST_ONE_SEP)[1-9]?|OVERRIDE_RULE|BACKTRACK|getSerializedGastProductions)$/,
  'parse/parser/traits/recognizer_engine.js':
    /^(?:(?:atLeastOne|atLeastOneSepFirst|manySepFirst)Internal(?:Logic)?|repetitionSepSecondInternal|(?:save|reload)RecogState)$/,
  'parse/parser/traits/error_handler.js': /^raiseEarlyExitException$/,
  // Lines and columns, and alternatives to a pattern.
  'scan/lexer_public.js':
    /^(?:match|addTokenUsingMemberAccess|createStartOnlyToken|createFullToken|computeNewColumn|updateTokenEndLineColumnLocation)$/,
};

/** Methods that `LooksAhead` (traits.ts) has in their place. */
const moved: Readonly<Record<string, RegExp>> = {
  'parse/parser/parser.js': /^performSelfAnalysis$/,
  'parse/parser/traits/error_handler.js': /^raiseNoAltException$/,
};

/** A method of a class as Chevrotain's compiler lays it out. */
const method = /^    (\w+)\([^\n]*\) \{(?: \}|\n[\s\S]*?\n    \})\n/gm;

async function withoutMethods(path: string, names: readonly RegExp[]): Promise<string> {
  const text = await readFile(path, 'utf8');
  const left = (rest: string, pattern: RegExp): string => {
    const without = rest.replace(method, (whole, name: string) => (pattern.test(name) ? '' : whole));
    if (without === rest) throw new Error(`${path} has no method ${String(pattern)}`);
    return without;
  };
  return names.reduce(left, text);
}

/** For the bundler of the package. */
export function slimChevrotain(): Plugin {
  return {
    name: 'slim-chevrotain',
    setup(build) {
      build.onResolve({ filter: /^lodash-es$/ }, () => ({ path: lodash, sideEffects: false }));
      build.onResolve({ filter: /^slim:lookahead$/ }, ({ path }) => ({ path, namespace: 'slim' }));
      build.onLoad({ filter: /^slim:lookahead$/, namespace: 'slim' }, async () => ({
        contents: await analyseGrammar(build),
      }));
      build.onResolve({ filter: /\?whole$/ }, ({ path, resolveDir }) => ({
        path: join(resolveDir, path.replace(/\?whole$/, '')),
        suffix: '?whole',
        sideEffects: false,
      }));
      build.onLoad({ filter: inChevrotain }, async ({ path, suffix }) => {
        const name = path.replaceAll('\\', '/').replace(/^.*\/lib\/src\//, '');
        if (replaced.has(name)) return { contents: `export * from ${JSON.stringify(traits)};` };
        const names = [uncalled[name], moved[name]].filter((each) => each !== undefined);
        if (names.length > 0) return { contents: await withoutMethods(path, names) };
        const parts = suffix === '?whole' ? undefined : trimmed[name];
        return parts === undefined ? undefined : { contents: standIn(name, parts) };
      });
    },
  };
}

function standIn(name: string, { retain = [], idle = [], absent = [] }: Parts): string {
  const whole = JSON.stringify(`./${basename(name)}?whole`);
  return [
    ...retain.map((each) => `export { ${each} } from ${whole};`),
    ...idle.map((each) => `export function ${each}() {}`),
    ...absent.map((each) => `export const ${each} = undefined;`),
  ].join('\n');
}
