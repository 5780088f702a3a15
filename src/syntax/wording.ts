/** `a, b or c`. */
export function enumerate(words: readonly string[], joiner: 'and' | 'or'): string {
  const [last = '', ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} ${joiner} ${last}`;
}
