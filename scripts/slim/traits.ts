// Four traits of Chevrotain's parser as they are where nothing is recovered, no syntax tree is built, no content is assisted with
// and no time is taken: the parser of the filter language asks for none of them (src/syntax/parser.ts).

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
