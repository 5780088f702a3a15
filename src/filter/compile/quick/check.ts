/**
 * A check of a value of the most common kind, as a function and as a code template with the same results. It does not handle
 * other kinds of values: these are left to the careful closures.
 */
export interface QuickCheck {
  readonly template: QuickTemplate;
  /** The values of the template's `p`: literals, sets, functions. Never code. */
  readonly operands: readonly unknown[];
}

/** The placeholders of a template. */
export interface Blanks {
  /** The variable with the value. */
  readonly v: string;
  /** The variables with the operands. */
  readonly p: readonly string[];
  /** Statement for a true result. */
  readonly yes: string;
  /** Statement for a false result. */
  readonly no: string;
}

/** The code of a check. All of it is constant source of the engine. */
export interface QuickTemplate {
  readonly name: string;
  /** Returns a function: true or false for a value, undefined for a value that is not handled. */
  readonly test: (operands: readonly unknown[]) => (value: unknown) => boolean | undefined;
  /** Returns statements. If execution reaches their end, the value is not handled. */
  readonly code: (whitespace: Blanks) => string;
}

/** A JavaScript type of literals. */
type LiteralType = 'string' | 'number' | 'boolean';

/** Whether a value can be unequal to a literal of a type. NaN is not handled: with `unresolved: 'deny'` it is not unequal either. */
function isUnequal(value: unknown, type: LiteralType): boolean {
  return typeof value === type && !Number.isNaN(value);
}

/** The code of {@link isUnequal}. */
function unequalCode(v: string, type: LiteralType): string {
  return `typeof ${v}==="${type}"${type === 'number' ? `&&${v}===${v}` : ''}`;
}

/**
 * Returns a template that compares with a literal of one JavaScript type. The literal is compared first, which decides for most
 * values.
 */
function equality(name: string, type: LiteralType): QuickTemplate {
  return {
    name,
    test:
      ([expected]) =>
      (value) =>
        value === expected || (isUnequal(value, type) ? false : undefined),
    code: ({ v, p: [expected], yes, no }) => `if(${v}===${expected})${yes}if(${unequalCode(v, type)})${no}`,
  };
}

export const textEquality = equality('text', 'string');
export const numberEquality = equality('number', 'number');
export const boolEquality = equality('bool', 'boolean');

/** Operands: the literal as a string and as a number, for values of an undeclared kind. */
export const scalarEquality: QuickTemplate = {
  name: 'scalar',
  test:
    ([text, number]) =>
    (value) =>
      isUnequal(value, 'number') ? value === number : typeof value === 'string' ? value === text : undefined,
  code: ({ v, p: [text, number], yes, no }) =>
    `if(${unequalCode(v, 'number')}){if(${v}===${number})${yes}${no}}if(typeof ${v}==="string"){if(${v}===${text})${yes}${no}}`,
};

/** Returns a template for strings. `isBounded`: strings longer than the second operand are not handled. */
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

/** Returns a test of strings up to the length of the second operand. Tests of longer strings must be charged. */
function boundedTest(make: (operand: unknown) => (text: string) => boolean): QuickTemplate['test'] {
  return ([operand, maxLength]) => {
    const test = make(operand);
    return (value) =>
      typeof value === 'string' && value.length <= (maxLength as number) ? test(value) : undefined;
  };
}

/** Returns a check whether a value is in a set. A few values are compared one by one, which is faster than hashing. */
function oneOf(name: string, type: 'string' | 'number'): (values: ReadonlySet<unknown>) => QuickCheck {
  const inSet: QuickTemplate = {
    name,
    test:
      ([values]) =>
      (value) =>
        isUnequal(value, type) ? (values as ReadonlySet<unknown>).has(value) : undefined,
    code: ({ v, p: [values], yes, no }) => `if(${unequalCode(v, type)}){if(${values}.has(${v}))${yes}${no}}`,
  };
  const among = Array.from({ length: 9 }, (_, count): QuickTemplate => ({
    name: `${name}-${count}`,
    test: (values) => (value) => {
      // Compared with `===`, like in the generated code, so NaN is never found. `indexOf` takes twice as long for a few values.
      for (let at = 0; at < values.length; at += 1) if (values[at] === value) return true;
      return isUnequal(value, type) ? false : undefined;
    },
    code: ({ v, p, yes, no }) =>
      `${p.map((value) => `if(${v}===${value})${yes}`).join('')}if(${unequalCode(v, type)})${no}`,
  }));
  return (values) => {
    const template = among[values.size];
    return template === undefined
      ? { template: inSet, operands: [values] }
      : { template, operands: [...values] };
  };
}

/** Tests whether a string is in a set. */
export const oneOfTexts: (texts: ReadonlySet<string>) => QuickCheck = oneOf('one-of', 'string');
/** Tests whether a number is in a set without NaN. */
export const oneOfNumbers: (numbers: ReadonlySet<number>) => QuickCheck = oneOf('number-of', 'number');

/** Operands: a test of a string, and the maximum length of strings for which it may be called. */
export const textTest = textTemplate(
  'text-test',
  boundedTest((test) => test as (text: string) => boolean),
  (v, [test]) => `${test}(${v})`,
  true,
);

/** Operands: a substring, and the maximum length of the string. */
export const substringTest = textTemplate(
  'substring',
  boundedTest((part) => (text) => text.includes(part as string)),
  (v, [part]) => `${v}.includes(${part})`,
  true,
);

/** Operands: the prefix, and its first UTF-16 unit, which excludes most strings without a call. */
export const prefixTest = textTemplate(
  'prefix',
  ([prefix]) =>
    (value) =>
      typeof value === 'string' ? value.startsWith(prefix as string) : undefined,
  (v, [prefix, first]) => `${v}.charCodeAt(0)===${first}&&${v}.startsWith(${prefix})`,
);

/** Operands: the suffix, and its last UTF-16 unit. */
export const suffixTest = textTemplate(
  'suffix',
  ([suffix]) =>
    (value) =>
      typeof value === 'string' ? value.endsWith(suffix as string) : undefined,
  (v, [suffix, last]) => `${v}.charCodeAt(${v}.length-1)===${last}&&${v}.endsWith(${suffix})`,
);

/** Operands: the prefix, the suffix, the minimum length, the first UTF-16 unit and the last one. */
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

/** Operands: a test of a string, and the only string length for which it is called. */
export const sameLengthTest = textTemplate(
  'same-length',
  ([test, length]) =>
    (value) =>
      typeof value === 'string'
        ? value.length === length && (test as (text: string) => boolean)(value)
        : undefined,
  (v, [test, length]) => `${v}.length===${length}&&${test}(${v})`,
);

/** Tests whether a string is empty. */
export const emptyText: QuickTemplate = {
  name: 'empty-text',
  test: () => (value) => (typeof value === 'string' ? value === '' : undefined),
  code: ({ v, yes, no }) => `if(${v}==="")${yes}if(typeof ${v}==="string")${no}`,
};

/** Tests whether a list is empty. */
export const emptyList: QuickTemplate = {
  name: 'empty-list',
  test: () => (value) => (Array.isArray(value) ? value.length === 0 : undefined),
  code: ({ v, yes, no }) => `if(isList(${v})){if(${v}.length===0)${yes}${no}}`,
};

/** Operands: the string to find among the elements, and the maximum length of the list. */
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

/** Tests whether a map is empty. Its first key decides, unless filters ignore that key. */
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
  // `hasOwn` is bound to `call`, so that V8 knows what it calls and skips it in a loop over the keys, unlike `Object.hasOwn`.
  code: ({ v, yes, no }) =>
    `odd:if(typeof ${v}==="object"&&${v}!==null&&!isList(${v})&&(${v}.constructor===O||isPlain(${v}))){for(const k in ${v}){if(hasOwn(${v},k)&&${v}[k]!==undefined)${no}break odd;}${yes}}`,
};

/** Whether a value is a plain object, as created by JSON or literals, not a Map, a Date or another class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
