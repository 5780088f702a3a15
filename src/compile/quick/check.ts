/**
 * A check of a value of the commonest kind, once as a function and once as a template of code. Both answer the same, and
 * neither answers for a value of another kind: that is odd, and left to the careful closures.
 */
export interface QuickCheck {
  readonly template: QuickTemplate;
  /** What the template's `p` stand for: literals, sets, functions. Never code. */
  readonly operands: readonly unknown[];
}

/** Names of variables and an expression that a template is filled with. */
export interface Blanks {
  /** The value. */
  readonly v: string;
  /** The operands. */
  readonly p: readonly string[];
  /** A variable to use. */
  readonly t: string;
  /** Asks the careful closures for the answer of the whole match. */
  readonly odd: string;
}

/** How a check is written down. All of it is constant text of the engine. */
export interface QuickTemplate {
  readonly name: string;
  /** True or false of a value, undefined for an odd one. */
  readonly test: (operands: readonly unknown[]) => (value: unknown) => boolean | undefined;
  /** Code for "the check holds". */
  readonly holds: (blanks: Blanks) => string;
  /** Code for "the check does not hold". */
  readonly fails: (blanks: Blanks) => string;
}

/** Equality with a literal of one JavaScript type. The literal is compared first: for most values that is all. */
function equality(name: string, type: 'string' | 'number' | 'boolean'): QuickTemplate {
  return {
    name,
    test:
      ([wanted]) =>
      (value) =>
        value === wanted || (typeof value === type ? false : undefined),
    holds: ({ v, p: [wanted], odd }) => `(${v}===${wanted}||typeof ${v}!=="${type}"&&${odd})`,
    fails: ({ v, p: [wanted], odd }) => `(${v}!==${wanted}&&(typeof ${v}==="${type}"||${odd}))`,
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
  holds: ({ v, p: [text, number], odd }) =>
    `(typeof ${v}==="number"?${v}===${number}:typeof ${v}==="string"?${v}===${text}:${odd})`,
  fails: ({ v, p: [text, number], odd }) =>
    `(typeof ${v}==="number"?${v}!==${number}:typeof ${v}==="string"?${v}!==${text}:${odd})`,
};

/** A question about texts. `isCommon` may be narrower than "a text". */
function textTemplate(
  name: string,
  test: QuickTemplate['test'],
  holds: (v: string, p: readonly string[]) => string,
  isBounded = false,
): QuickTemplate {
  const isCommon = ({ v, p }: Blanks): string =>
    `typeof ${v}==="string"${isBounded ? `&&${v}.length<=${p[1]}` : ''}`;
  return {
    name,
    test,
    holds: (blanks) => `(${isCommon(blanks)}?${holds(blanks.v, blanks.p)}:${blanks.odd})`,
    fails: (blanks) => `(${isCommon(blanks)}?!${holds(blanks.v, blanks.p)}:${blanks.odd})`,
  };
}

/** The test of a text no longer than the second operand: longer ones have to be paid for. */
function boundedTest(make: (operand: unknown) => (text: string) => boolean): QuickTemplate['test'] {
  return ([operand, longest]) => {
    const test = make(operand);
    return (value) =>
      typeof value === 'string' && value.length <= (longest as number) ? test(value) : undefined;
  };
}

/** Operand: a set of texts. */
export const textInSet = textTemplate(
  'one-of',
  ([texts]) =>
    (value) =>
      typeof value === 'string' ? (texts as ReadonlySet<string>).has(value) : undefined,
  (v, [texts]) => `${texts}.has(${v})`,
);

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
  (v, [prefix, first]) => `(${v}.charCodeAt(0)===${first}&&${v}.startsWith(${prefix}))`,
);

/** A text of no characters, or some. */
export const emptyText: QuickTemplate = {
  name: 'empty-text',
  test: () => (value) => (typeof value === 'string' ? value === '' : undefined),
  holds: ({ v, odd }) => `(${v}===""||typeof ${v}!=="string"&&${odd})`,
  fails: ({ v, odd }) => `(${v}!==""&&(typeof ${v}==="string"||${odd}))`,
};

/** A list without elements. */
export const emptyList: QuickTemplate = {
  name: 'empty-list',
  test: () => (value) => (Array.isArray(value) ? value.length === 0 : undefined),
  holds: ({ v, odd }) => `(isList(${v})?${v}.length===0:${odd})`,
  fails: ({ v, odd }) => `(isList(${v})?${v}.length!==0:${odd})`,
};

/** What the functions below say of a value that they are not made for. */
const odd = 2;

/** A template that asks one of {@link templateFunctions}, which answers 0, 1 or {@link odd}. */
function asking(
  name: keyof typeof templateFunctions,
  ask: (value: unknown, operand: unknown, longest: unknown) => number,
): QuickTemplate {
  const call = ({ v, p }: Blanks): string => `${name}(${[v, ...p].join(',')})`;
  return {
    name,
    test:
      ([operand, longest]) =>
      (value) => {
        const answer = ask(value, operand, longest);
        return answer === odd ? undefined : answer === 1;
      },
    holds: (blanks) => `((${blanks.t}=${call(blanks)})===1||${blanks.t}===${odd}&&${blanks.odd})`,
    fails: (blanks) => `((${blanks.t}=${call(blanks)})===0||${blanks.t}===${odd}&&${blanks.odd})`,
  };
}

/** The functions that templates call, written once a shape so that each shape has feedback of its own. */
export const templateFunctions = {
  hasText: `(v,p,n)=>{if(!isList(v)||v.length>n)return ${odd};for(let i=0;i<v.length;i++){const e=v[i];if(e===p)return 1;if(typeof e!=="string")return ${odd}}return 0}`,
  isEmptyMap: `(v)=>{if(typeof v!=="object"||v===null||isList(v)||v.constructor!==O&&!isPlain(v))return ${odd};for(const k in v)return !dirty&&v[k]!==undefined?0:${odd};return 1}`,
} as const;

/** Operands: the text that one of the elements is to be, and the longest list. */
export const textInList = asking('hasText', (list, text, longest) => {
  if (!Array.isArray(list) || list.length > (longest as number)) return odd;
  for (let at = 0; at < list.length; at += 1) {
    const element: unknown = list[at];
    if (element === text) return 1;
    if (typeof element !== 'string') return odd;
  }
  return 0;
});

/** A map without keys. The first key decides, unless it is one that does not count. */
export const emptyMap = asking('isEmptyMap', (map) => {
  if (typeof map !== 'object' || map === null || Array.isArray(map) || !isPlain(map)) return odd;
  for (const key in map) {
    return Object.hasOwn(map, key) && (map as Readonly<Record<string, unknown>>)[key] !== undefined ? 0 : odd;
  }
  return 1;
});

/** Whether an object is what JSON and literals make, and not a Map, a Date or something else with a meaning of its own. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
