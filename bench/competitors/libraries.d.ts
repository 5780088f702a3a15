/**
 * The parts used here of the libraries, so that types can be checked without them: they are installed by `npm run bench`
 * only. Default exports are how Node imports the packages.
 */

type Test = (row: unknown) => unknown;

declare module '@bufbuild/cel' {
  export type CelInput = unknown;
  interface Environment {
    readonly namespace: unknown;
  }
  interface Expression {
    readonly id: unknown;
  }
  export function celEnv(): Environment;
  export function parse(expression: string): Expression;
  export function plan(
    environment: Environment,
    expression: Expression,
  ): (bindings: Readonly<Record<string, CelInput>>) => unknown;
}

declare module '@marcbachmann/cel-js' {
  export class Environment {
    constructor(options: { unlistedVariablesAreDyn: boolean });
    parse(expression: string): Test;
  }
}

declare module 'benny' {
  interface Case {
    readonly name: string;
    readonly details: { readonly median: number };
  }
  type Part = Promise<unknown>;
  const exported: {
    add(name: string, run: () => void): Part;
    configure(options: { cases: { maxTime: number; minSamples: number } }): Part;
    suite(name: string, ...parts: readonly Part[]): Promise<{ readonly results: readonly Case[] }>;
  };
  // oxlint-disable-next-line no-restricted-exports
  export default exported;
}

declare module 'filtrex' {
  export function compileExpression(expression: string): Test;
}

declare module 'jexl' {
  interface CompiledExpression {
    evalSync(context: unknown): unknown;
  }
  interface Engine {
    compile(expression: string): CompiledExpression;
  }
  const exported: { Jexl: new () => Engine };
  // oxlint-disable-next-line no-restricted-exports
  export default exported;
}

declare module 'json-logic-engine' {
  export class LogicEngine {
    build(rule: object): Test;
  }
}

declare module 'jsonata' {
  // oxlint-disable-next-line no-restricted-exports
  export default function jsonata(expression: string): { evaluate(input: unknown): Promise<unknown> };
}

declare module 'liqe' {
  interface Query {
    readonly type: string;
  }
  export function parse(query: string): Query;
  export function test(query: Query, row: object): boolean;
}

declare module 'mingo' {
  export class Query {
    constructor(condition: Record<string, unknown>);
    test(row: Record<string, unknown>): boolean;
  }
}

declare module 'sift' {
  const exported: { default(query: Readonly<Record<string, unknown>>): Test };
  // oxlint-disable-next-line no-restricted-exports
  export default exported;
}

declare module 'subscript/jessie' {
  // oxlint-disable-next-line no-restricted-exports
  export default function compile(expression: string): (context: unknown) => unknown;
}
