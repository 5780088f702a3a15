// Traits of Chevrotain's parser without error recovery, CST building, content assist and tracing, which the parser of the filter
// language does not use (src/language/syntax/parser.ts). Chevrotain analyses the grammar when the package is built.
import { type IToken, NoViableAltException } from 'chevrotain';
import { toFastProperties } from '@chevrotain/utils';
import { choices, options } from 'slim:lookahead';

interface ParserState {
  readonly RULE_STACK: readonly number[];
  readonly RULE_STACK_IDX: number;
  readonly shortRuleNameToFullName: (rule: number) => string;
}

/** Takes the place of traits/recoverable.js. */
export class Recoverable {
  recoveryEnabled = false;

  initRecoverable(config: { readonly recoveryEnabled?: boolean }): void {
    if (config.recoveryEnabled === true)
      throw new Error('this build of Chevrotain does not recover from errors');
    this.recoveryEnabled = false;
  }

  attemptInRepetitionRecovery(): void {
    // Called after each repetition, for parsers that recover.
  }

  getHumanReadableRuleStack(this: ParserState): string[] {
    const rules = this.RULE_STACK.slice(0, this.RULE_STACK_IDX + 1);
    return rules.map((rule) => this.shortRuleNameToFullName(rule));
  }
}

export const IN_RULE_RECOVERY_EXCEPTION = 'InRuleRecoveryException';

/** Takes the place of traits/tree_builder.js. The methods are called wherever a parser with trees would build one. */
export class TreeBuilder {
  outputCst = false;

  initTreeBuilder(config: { readonly outputCst?: boolean }): void {
    if (config.outputCst === true) throw new Error('this build of Chevrotain makes no syntax trees');
    this.outputCst = false;
  }

  cstInvocationStateUpdate(): void {
    // No tree.
  }

  cstFinallyStateUpdate(): void {
    // No tree.
  }

  cstPostTerminal(): void {
    // No tree.
  }

  cstPostNonTerminal(): void {
    // No tree.
  }
}

/** Takes the place of traits/context_assist.js. */
export class ContentAssist {
  initContentAssist(): void {
    // Nothing to prepare.
  }
}

/** Takes the place of traits/perf_tracer.js. */
export class PerformanceTracer {
  initPerformanceTracer(config: { readonly traceInitPerf?: boolean | number }): void {
    if (config.traceInitPerf !== undefined) throw new Error('this build of Chevrotain takes no times');
  }

  TRACE_INIT<T>(_phase: string, run: () => T): T {
    return run();
  }
}

/** Takes the place of traits/gast_recorder.js. */
export class GastRecorder {
  RECORDING_PHASE = false;

  initGastRecorder(): void {
    this.RECORDING_PHASE = false;
  }
}

/** Says which alternative a token begins, or whether it begins what may be there; undefined for none. */
type Look = (this: LooksAhead, alternatives: readonly Alternative[]) => number | boolean | undefined;

interface Alternative {
  readonly GATE?: () => boolean;
}

/** Takes the place of traits/looksahead.js, and of the analysis of the grammar. */
export class LooksAhead {
  selfAnalysisDone = false;
  lookAheadFuncsCache = new Map<number, Look>();
  readonly currRuleShortName!: number;
  readonly tokensMap!: Readonly<Record<string, { readonly tokenTypeIdx: number }>>;
  readonly errorMessageProvider!: { buildNoViableAltMessage(about: object): string };
  readonly LA!: (at: number) => IToken;
  readonly LA_FAST!: (at: number) => { readonly tokenTypeIdx: number };
  readonly SAVE_ERROR!: (error: Error) => Error;

  initLooksAhead(): void {
    this.lookAheadFuncsCache = new Map();
  }

  performSelfAnalysis(): void {
    this.selfAnalysisDone = true;
    toFastProperties(this);
    const types = Object.values(this.tokensMap).map(({ tokenTypeIdx }) => tokenTypeIdx);
    const size = Math.max(...types) + 1;
    for (const [key, isGated, alternatives] of choices) {
      const begun = new Array<number | undefined>(size).fill(undefined);
      for (const [at, places] of alternatives.entries())
        for (const place of places) begun[types[place] ?? 0] = at;
      this.lookAheadFuncsCache.set(key, isGated ? gatedChoice(begun) : choice(begun));
    }
    for (const [key, places] of options) {
      const begins = new Array<boolean>(size).fill(false);
      for (const place of places) begins[types[place] ?? 0] = true;
      this.lookAheadFuncsCache.set(key, function () {
        return begins[this.LA_FAST(1).tokenTypeIdx];
      });
    }
  }

  getKeyForAutomaticLookahead(method: number, occurrence: number): number {
    return this.currRuleShortName | method | occurrence;
  }

  getLaFuncFromCache(key: number): Look | undefined {
    return this.lookAheadFuncsCache.get(key);
  }

  /** Messages of the filter language name what was expected, and nothing else. */
  raiseNoAltException(_occurrence: number, customUserDescription: string | undefined): never {
    const message = this.errorMessageProvider.buildNoViableAltMessage({ customUserDescription });
    throw this.SAVE_ERROR(new NoViableAltException(message, this.LA(1), this.LA(0)));
  }
}

function choice(begun: readonly (number | undefined)[]): Look {
  return function () {
    return begun[this.LA_FAST(1).tokenTypeIdx];
  };
}

/** No token begins two alternatives: if the gate of one is closed, no alternative matches. */
function gatedChoice(begun: readonly (number | undefined)[]): Look {
  return function (alternatives) {
    const at = begun[this.LA_FAST(1).tokenTypeIdx];
    return at === undefined || alternatives[at]?.GATE?.() === false ? undefined : at;
  };
}
