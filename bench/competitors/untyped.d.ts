/** The parts used here of packages that ship no types. Both default exports are how Node hands the packages over. */

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

declare module 'subscript/jessie' {
  // oxlint-disable-next-line no-restricted-exports
  export default function compile(expression: string): (context: unknown) => unknown;
}
