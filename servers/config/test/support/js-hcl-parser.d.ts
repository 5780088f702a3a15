/** The original parser of HCL version 1, compiled to JavaScript. It answers in JSON text, or says what is wrong. */
declare module 'js-hcl-parser' {
  const parser: { parse(text: string): string };
  export = parser;
}
