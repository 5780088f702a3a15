import { maxFields } from './limits.js';

/** Deepest place that is looked into: what lies deeper is of any kind. */
const deepest = 12;
/** Most different texts of a place that are remembered: a field with more is no choice of a few. */
export const maxChoices = 12;
/** Longest text that may be one of a few. */
const maxChoiceLength = 40;

/** Forms of text that have a kind of their own, each with its test. */
export const textForms = {
  time: /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
  ip: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$|^(?=.*::|(?:[^:]*:){7}[^:]*$)[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}$/,
  version: /^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/,
  duration: /^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/,
} as const;
export type TextForm = keyof typeof textForms;
const formNames = Object.keys(textForms) as TextForm[];

/** The values that one place has in all rows: how many there are of each kind, and what is below. */
export class Observation {
  nulls = 0;
  bools = 0;
  /** Integers, those beyond 2^53 among them. */
  integers = 0;
  negatives = 0;
  /** Integers beyond the signed 64 bits. */
  unsigned = 0;
  fractions = 0;
  texts = 0;
  lists = 0;
  objects = 0;
  /** The forms that every text so far has had. */
  forms: readonly TextForm[] = formNames;
  /** How often each text occurs; null where there are too many, or too long ones. */
  choices: Map<string, number> | null = new Map();
  /** The kind of list elements; null without elements. */
  element: Observation | null = null;
  /** The values under each key; no more of them than are worth a field. */
  readonly fields = new Map<string, Observation>();
  hasMoreFields = false;

  constructor(private readonly depth = 0) {}

  /** How many values there were, null aside. */
  get values(): number {
    return this.bools + this.integers + this.fractions + this.texts + this.lists + this.objects;
  }

  take(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.takeText(value);
      case 'number':
        if (Number.isSafeInteger(value)) this.integers += 1;
        else this.fractions += 1;
        if (value < 0) this.negatives += 1;
        return;
      case 'bigint':
        return this.takeBigInteger(value);
      case 'boolean':
        this.bools += 1;
        return;
      default:
        if (value === null || value === undefined) this.nulls += 1;
        else if (Array.isArray(value)) this.takeList(value);
        else this.takeObject(value);
    }
  }

  private takeText(text: string): void {
    this.texts += 1;
    if (this.forms.length > 0) this.forms = this.forms.filter((form) => textForms[form].test(text));
    if (this.choices === null) return;
    if (text.length > maxChoiceLength) this.choices = null;
    else this.choices.set(text, (this.choices.get(text) ?? 0) + 1);
    if (this.choices !== null && this.choices.size > maxChoices) this.choices = null;
  }

  private takeBigInteger(value: bigint): void {
    if (value < 0n) this.negatives += 1;
    if (BigInt.asIntN(64, value) === value) this.integers += 1;
    else if (BigInt.asUintN(64, value) === value) {
      this.integers += 1;
      this.unsigned += 1;
    } else this.fractions += 1;
  }

  private takeList(list: readonly unknown[]): void {
    this.lists += 1;
    if (list.length === 0 || this.depth >= deepest) return;
    this.element ??= new Observation(this.depth + 1);
    for (const each of list) this.element.take(each);
  }

  private takeObject(object: object): void {
    this.objects += 1;
    if (this.depth >= deepest) return;
    for (const [key, value] of Object.entries(object)) {
      let field = this.fields.get(key);
      if (field === undefined) {
        if (this.fields.size >= maxFields) {
          this.hasMoreFields = true;
          continue;
        }
        field = new Observation(this.depth + 1);
        this.fields.set(key, field);
      }
      field.take(value);
    }
  }
}
