/**
 * Reads the EBNF of grammar/filter.ebnf (see there for its notation) and turns it into a recogniser and a generator, so
 * that tests can hold the file against the parser.
 */
export type Rule =
  | { kind: 'literal'; text: string }
  | { kind: 'special'; words: string }
  | { kind: 'name'; name: string }
  | { kind: 'choice'; rules: Rule[] }
  | { kind: 'sequence'; rules: Rule[] }
  | { kind: 'option'; rule: Rule }
  | { kind: 'repetition'; rule: Rule };

export type Grammar = ReadonlyMap<string, Rule>;

/** What a special sequence means: where it matches, and something that it matches. */
export interface Special {
  /** The offset after the match, or null. Throws {@link Refusal} to reject the whole source. */
  match(text: string, at: number): number | null;
  /** Texts to choose from. */
  readonly samples: readonly string[];
}

/** Refuses a text for good, whatever other alternatives there are. */
export class Refusal extends Error {}

/** The productions that hold in a dialect, in order. */
export function readGrammar(source: string, dialect: string): Grammar {
  const tokens = tokenize(source);
  const grammar = new Map<string, Rule>();
  let matches = true;
  let at = 0;
  const peek = (): string => tokens[at] ?? '';
  const take = (): string => tokens[at++] ?? '';
  const demand = (token: string): void => {
    const found = take();
    if (found !== token) throw new SyntaxError(`EBNF: ${token} expected, ${found} found (token ${at})`);
  };

  const readChoice = (): Rule => {
    const rules = [readSequence()];
    while (peek() === '|') {
      take();
      rules.push(readSequence());
    }
    return rules.length === 1 ? rules[0]! : { kind: 'choice', rules };
  };
  const readSequence = (): Rule => {
    const rules: Rule[] = [];
    while (!['|', ';', ')', ']', '}', ''].includes(peek())) {
      rules.push(readTerm());
      if (peek() !== ',') break;
      take();
    }
    return rules.length === 1 ? rules[0]! : { kind: 'sequence', rules };
  };
  const readTerm = (): Rule => {
    const token = take();
    const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
    const closer = closers[token];
    if (closer !== undefined) {
      const rule = readChoice();
      demand(closer);
      return token === '(' ? rule : { kind: token === '[' ? 'option' : 'repetition', rule };
    }
    if (/^["']/.test(token)) return { kind: 'literal', text: token.slice(1, -1) };
    if (token.startsWith('?')) return { kind: 'special', words: token.slice(1, -1).trim() };
    if (/^[a-z]/.test(token)) return { kind: 'name', name: token };
    throw new SyntaxError(`EBNF: a term expected, ${token} found (token ${at})`);
  };

  while (at < tokens.length) {
    const token = take();
    if (token.startsWith('@')) {
      matches = token === '@both' || token === `@${dialect}`;
      continue;
    }
    demand('=');
    const rule = readChoice();
    demand(';');
    if (!matches) continue;
    if (grammar.has(token)) throw new SyntaxError(`EBNF: ${token} is defined twice in ${dialect}`);
    grammar.set(token, rule);
  }
  return grammar;
}

/** Comments vanish, but for those that name dialects. Names may contain single blanks. */
function tokenize(source: string): string[] {
  const pattern =
    /\(\*\s*(@[a-z-]+)\s*\*\)|\(\*[\s\S]*?\*\)|"[^"]*"|'[^']*'|\?[^?]*\?|[a-z]+(?: [a-z]+)*|[=,|;(){}[\]]|\s+|[\s\S]/g;
  const tokens: string[] = [];
  for (const [token, heading] of source.matchAll(pattern)) {
    if (heading !== undefined) tokens.push(heading);
    else if (!token.startsWith('(*') && token.trim() !== '') tokens.push(token);
  }
  return tokens;
}

/** All rules below a rule, itself included. */
export function rulesWithin(rule: Rule): Rule[] {
  switch (rule.kind) {
    case 'choice':
    case 'sequence':
      return [rule, ...rule.rules.flatMap(rulesWithin)];
    case 'option':
    case 'repetition':
      return [rule, ...rulesWithin(rule.rule)];
    default:
      return [rule];
  }
}

/** Returns whether a source is a sentence of the grammar: ordered choice, results memoized by production and position. */
export function recognise(
  grammar: Grammar,
  start: string,
  specials: ReadonlyMap<string, Special>,
  text: string,
): boolean {
  const known = new Map<string, (number | null)[]>();
  const match = (rule: Rule, at: number): number | null => {
    switch (rule.kind) {
      case 'literal':
        return text.startsWith(rule.text, at) ? at + rule.text.length : null;
      case 'special':
        return specialOf(specials, rule.words).match(text, at);
      case 'name':
        return matchName(rule.name, at);
      case 'option':
        return match(rule.rule, at) ?? at;
      case 'repetition': {
        let end = at;
        for (let next = match(rule.rule, end); next !== null && next > end; next = match(rule.rule, end))
          end = next;
        return end;
      }
      case 'sequence': {
        let end: number | null = at;
        for (const part of rule.rules) {
          end = match(part, end);
          if (end === null) return null;
        }
        return end;
      }
      case 'choice': {
        for (const part of rule.rules) {
          const end = match(part, at);
          if (end !== null) return end;
        }
        return null;
      }
    }
  };
  const matchName = (name: string, at: number): number | null => {
    const results = known.get(name) ?? [];
    known.set(name, results);
    const result = results[at];
    if (result !== undefined) return result;
    return (results[at] = match(productionOf(grammar, name), at));
  };
  try {
    return matchName(start, 0) === text.length;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * Makes random texts from the productions. Most are sentences; some are not, because the generator cannot know that an
 * earlier alternative will take them. `random(n)` gives an integer from 0 to n - 1; zeros give the shallowest text.
 */
export function makeGenerator(
  grammar: Grammar,
  start: string,
  specials: ReadonlyMap<string, Special>,
): (random: (n: number) => number, fuel?: number) => string {
  const heights = measure(grammar);
  const byHeight = (rules: readonly Rule[]): Rule[] => {
    return [...rules].sort((a, b) => heightOf(heights, a) - heightOf(heights, b));
  };
  return (random, fuel = 150) => {
    let left = fuel;
    const make = (rule: Rule): string => {
      switch (rule.kind) {
        case 'literal':
          return rule.text;
        case 'special': {
          const { samples } = specialOf(specials, rule.words);
          return samples[random(samples.length)] ?? '';
        }
        case 'name':
          left -= 1;
          return make(productionOf(grammar, rule.name));
        case 'option':
          return left > 0 && random(2) === 1 ? make(rule.rule) : '';
        case 'repetition': {
          let text = '';
          while (left > 0 && random(3) === 2) text += make(rule.rule);
          return text;
        }
        case 'sequence':
          return rule.rules.map(make).join('');
        case 'choice': {
          const rules = byHeight(rule.rules);
          return make(rules[left > 0 ? random(rules.length) : 0]!);
        }
      }
    };
    return make(productionOf(grammar, start));
  };
}

/** How many productions deep the shallowest text of each production is. */
function measure(grammar: Grammar): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, rule] of grammar) {
      const height = 1 + heightOf(heights, rule);
      if (height < (heights.get(name) ?? Infinity)) {
        heights.set(name, height);
        changed = true;
      }
    }
  }
  return heights;
}

function heightOf(heights: ReadonlyMap<string, number>, rule: Rule): number {
  switch (rule.kind) {
    case 'name':
      return heights.get(rule.name) ?? Infinity;
    case 'sequence':
      return Math.max(0, ...rule.rules.map((part) => heightOf(heights, part)));
    case 'choice':
      return Math.min(...rule.rules.map((part) => heightOf(heights, part)));
    default:
      return 0;
  }
}

function productionOf(grammar: Grammar, name: string): Rule {
  const rule = grammar.get(name);
  if (rule === undefined) throw new Error(`EBNF: no production named ${name}`);
  return rule;
}

function specialOf(specials: ReadonlyMap<string, Special>, words: string): Special {
  const special = specials.get(words);
  if (special === undefined) throw new Error(`EBNF: no special sequence ${words}`);
  return special;
}
