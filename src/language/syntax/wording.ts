/** A noun with its article: `an int`, `a uint`. */
export function withArticle(noun: string): string {
  return /^(?:[aeio]|un)/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** `a, b or c`. */
export function enumerate(words: readonly string[], joiner: 'and' | 'or'): string {
  const [last = '', ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} ${joiner} ${last}`;
}
