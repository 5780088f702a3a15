/**
 * A check of a value of the commonest kind, once as a function and once as a template of code. Both answer the same, and
 * neither answers for a value of another kind: that is odd, and left to the careful closures.
 */
export interface QuickCheck {
  readonly template: QuickTemplate;
  /** What the template's `p` stand for: literals, sets, functions. Never code. */
  readonly operands: readonly unknown[];
}

/** What a template is filled with. */
export interface Blanks {
  /** The variable with the value. */
  readonly v: string;
  /** The variables with the operands. */
  readonly p: readonly string[];
  /** A statement that goes on where the check holds. */
  readonly yes: string;
  /** A statement that goes on where the check does not hold. */
  readonly no: string;
}

/** How a check is written down. All of it is constant text of the engine. */
export interface QuickTemplate {
  readonly name: string;
  /** True or false of a value, undefined for an odd one. */
  readonly test: (operands: readonly unknown[]) => (value: unknown) => boolean | undefined;
  /** Statements. What comes to their end is odd. */
  readonly code: (whitespace: Blanks) => string;
}

/** Equality with a literal of one JavaScript type. The literal is compared first: for most values that is all. */
function equality(name: string, type: 'string' | 'number' | 'boolean'): QuickTemplate {
  return {
    name,
    test:
      ([expected]) =>
      (value) =>
        value === expected || (typeof value === type ? false : undefined),
    code: ({ v, p: [expected], yes, no }) => `if(${v}===${expected})${yes}if(typeof ${v}==="${type}")${no}`,
  };
}

export const textEquality = equality('text', 'string');
export const numberEquality = equality('number', 'number');
export const boolEquality = equality('bool', 'boolean');

/** Operands: the literal as a text and as a number, for values of no declared kind. */
export const scalarEquality: QuickTemplate = {
  name: 'scalar',
  test:
    ([text, number]) =>
    (value) =>
      typeof value === 'number' ? value === number : typeof value === 'string' ? value === text : undefined,
  code: ({ v, p: [text, number], yes, no }) =>
    `if(typeof ${v}==="number"){if(${v}===${number})${yes}${no}}if(typeof ${v}==="string"){if(${v}===${text})${yes}${no}}`,
};

/** A question about texts. `isBounded`: about those no longer than the second operand. */
function textTemplate(
  name: string,
  test: QuickTemplate['test'],
  matches: (v: string, p: readonly string[]) => string,
  isBounded = false,
): QuickTemplate {
  return {
    name,
    test,
    code({ v, p, yes, no }) {
      const bound = isBounded ? `&&${v}.length<=${p[1]}` : '';
      return `if(typeof ${v}==="string"${bound}){if(${matches(v, p)})${yes}${no}}`;
    },
  };
}

/** The test of a text no longer than the second operand: longer ones have to be paid for. */
function boundedTest(make: (operand: unknown) => (text: string) => boolean): QuickTemplate['test'] {
  return ([operand, maxLength]) => {
    const test = make(operand);
    return (value) =>
      typeof value === 'string' && value.length <= (maxLength as number) ? test(value) : undefined;
  };
}

/** Whether a value is one of many: a look-up, or, for a few, a comparison with each, which is faster than to hash. */
function oneOf(name: string, type: 'string' | 'number'): (values: ReadonlySet<unknown>) => QuickCheck {
  const inSet: QuickTemplate = {
    name,
    test:
      ([values]) =>
      (value) =>
        typeof value === type ? (values as ReadonlySet<unknown>).has(value) : undefined,
    code: ({ v, p: [values], yes, no }) => `if(typeof ${v}==="${type}"){if(${values}.has(${v}))${yes}${no}}`,
  };
  const among = Array.from({ length: 9 }, (_, count): QuickTemplate => ({
    name: `${name}-${count}`,
    test: (values) => (value) => {
      // Strictly, as the code compares: NaN is not among numbers, whatever these are. For a few, `indexOf` takes twice as long.
      for (let at = 0; at < values.length; at += 1) if (values[at] === value) return true;
      return typeof value === type ? false : undefined;
    },
    code: ({ v, p, yes, no }) =>
      `${p.map((value) => `if(${v}===${value})${yes}`).join('')}if(typeof ${v}==="${type}")${no}`,
  }));
  return (values) => {
    const template = among[values.size];
    return template === undefined
      ? { template: inSet, operands: [values] }
      : { template, operands: [...values] };
  };
}

/** Whether a text is one of these. */
export const oneOfTexts: (texts: ReadonlySet<string>) => QuickCheck = oneOf('one-of', 'string');
/** Whether a number is one of these, of which none is NaN. */
export const oneOfNumbers: (numbers: ReadonlySet<number>) => QuickCheck = oneOf('number-of', 'number');

/** Operands: a function of a text, and the longest text that it may be asked about. */
export const textTest = textTemplate(
  'text-test',
  boundedTest((test) => test as (text: string) => boolean),
  (v, [test]) => `${test}(${v})`,
  true,
);

/** Operands: a part of the text, and the longest text. */
export const substringTest = textTemplate(
  'substring',
  boundedTest((part) => (text) => text.includes(part as string)),
  (v, [part]) => `${v}.includes(${part})`,
  true,
);

/** Operands: how the text begins, and the code of the first character, which most texts fail on, without a call. */
export const prefixTest = textTemplate(
  'prefix',
  ([prefix]) =>
    (value) =>
      typeof value === 'string' ? value.startsWith(prefix as string) : undefined,
  (v, [prefix, first]) => `${v}.charCodeAt(0)===${first}&&${v}.startsWith(${prefix})`,
);

/** Operands: how the text ends, and the code of the last unit. */
export const suffixTest = textTemplate(
  'suffix',
  ([suffix]) =>
    (value) =>
      typeof value === 'string' ? value.endsWith(suffix as string) : undefined,
  (v, [suffix, last]) => `${v}.charCodeAt(${v}.length-1)===${last}&&${v}.endsWith(${suffix})`,
);

/** Operands: how the text begins and ends, the least that it can have, and the codes of the first and the last unit. */
export const bothEndsTest = textTemplate(
  'both-ends',
  ([prefix, suffix, minLength]) =>
    (value) =>
      typeof value === 'string'
        ? value.length >= (minLength as number) &&
          value.startsWith(prefix as string) &&
          value.endsWith(suffix as string)
        : undefined,
  (v, [prefix, suffix, minLength, first, last]) =>
    `${v}.length>=${minLength}&&${v}.charCodeAt(0)===${first}&&${v}.charCodeAt(${v}.length-1)===${last}&&${v}.startsWith(${prefix})&&${v}.endsWith(${suffix})`,
);

/** Operands: a function of a text, and the length that a text must have to be asked about. */
export const sameLengthTest = textTemplate(
  'same-length',
  ([test, length]) =>
    (value) =>
      typeof value === 'string'
        ? value.length === length && (test as (text: string) => boolean)(value)
        : undefined,
  (v, [test, length]) => `${v}.length===${length}&&${test}(${v})`,
);

/** A text of no characters, or some. */
export const emptyText: QuickTemplate = {
  name: 'empty-text',
  test: () => (value) => (typeof value === 'string' ? value === '' : undefined),
  code: ({ v, yes, no }) => `if(${v}==="")${yes}if(typeof ${v}==="string")${no}`,
};

/** A list without elements. */
export const emptyList: QuickTemplate = {
  name: 'empty-list',
  test: () => (value) => (Array.isArray(value) ? value.length === 0 : undefined),
  code: ({ v, yes, no }) => `if(isList(${v})){if(${v}.length===0)${yes}${no}}`,
};

/** Operands: the text that one of the elements is to be, and the longest list. */
export const textInList: QuickTemplate = {
  name: 'has-text',
  test:
    ([text, maxLength]) =>
    (list) => {
      if (!Array.isArray(list) || list.length > (maxLength as number)) return undefined;
      for (let at = 0; at < list.length; at += 1) {
        const element: unknown = list[at];
        if (element === text) return true;
        if (typeof element !== 'string') return undefined;
      }
      return false;
    },
  code: ({ v, p: [text, maxLength], yes, no }) =>
    `odd:if(isList(${v})&&${v}.length<=${maxLength}){for(let i=0;i<${v}.length;i++){const x=${v}[i];if(x===${text})${yes}if(typeof x!=="string")break odd;}${no}}`,
};

/** A map without keys. The first key decides, unless it is one that does not count. */
export const emptyMap: QuickTemplate = {
  name: 'empty-map',
  test: () => (map) => {
    if (typeof map !== 'object' || map === null || Array.isArray(map) || !isPlain(map)) return undefined;
    for (const key in map) {
      const counts = Object.hasOwn(map, key) && (map as Readonly<Record<string, unknown>>)[key] !== undefined;
      return counts ? false : undefined;
    }
    return true;
  },
  // `hasOwn.call` costs nothing in a loop over the keys, unlike `Object.hasOwn`.
  code: ({ v, yes, no }) =>
    `odd:if(typeof ${v}==="object"&&${v}!==null&&!isList(${v})&&(${v}.constructor===O||isPlain(${v}))){for(const k in ${v}){if(hasOwn.call(${v},k)&&${v}[k]!==undefined)${no}break odd;}${yes}}`,
};

/** Whether an object is what JSON and literals make, and not a Map, a Date or something else with a meaning of its own. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
