/** The original parser of HCL version 1, compiled to JavaScript. It returns JSON, or an error. */
declare module 'js-hcl-parser' {
  const parser: { parse(text: string): string };
  export = parser;
}
