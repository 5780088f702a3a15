import type { Position } from './position.js';

/** A value of a configuration. HCL and JSON give the same tree, except for `null`, which HCL 1 does not have. */
export type ConfigValue =
  ConfigText | ConfigNumber | ConfigBool | ConfigNull | ConfigList | ConfigObject | ConfigExpression;

export interface ConfigText {
  readonly kind: 'text';
  readonly value: string;
  /** HCL 2: the parts that would have to be computed, as they are written. */
  readonly computed?: readonly string[];
  readonly at: Position;
}

export interface ConfigNumber {
  readonly kind: 'number';
  readonly value: number;
  /** As written, in HCL 2 in its shortest form: a double does not hold every integer of 64 bits. */
  readonly text: string;
  readonly at: Position;
}

export interface ConfigBool {
  readonly kind: 'bool';
  readonly value: boolean;
  readonly at: Position;
}

export interface ConfigNull {
  readonly kind: 'null';
  readonly at: Position;
}

export interface ConfigList {
  readonly kind: 'list';
  readonly items: readonly ConfigValue[];
  readonly at: Position;
}

/**
 * A block or an object. A label is a level of its own: `listener "tcp" { a = 1 }` is `{"listener":{"tcp":{"a":1}}}`.
 */
export interface ConfigObject {
  readonly kind: 'object';
  /** In the order of the text. A key that is written twice is there twice. */
  readonly entries: readonly ConfigEntry[];
  readonly at: Position;
  /** Set for a block of HCL, in distinction from the value of a setting. */
  readonly isBlock?: true;
}

/** What HCL 2 would compute, as it is written: `var.x`, `upper("a")`, `1 + 2`. */
export interface ConfigExpression {
  readonly kind: 'expression';
  readonly text: string;
  readonly at: Position;
}

export interface ConfigEntry {
  readonly key: string;
  /** Set where the key is the label of a block. */
  readonly isLabel?: true;
  /** The position of the key. */
  readonly at: Position;
  readonly value: ConfigValue;
}

/** What a value is, for messages. */
export function describeKind({ kind }: ConfigValue): string {
  switch (kind) {
    case 'text':
      return 'a string';
    case 'number':
      return 'a number';
    case 'bool':
      return 'a boolean';
    case 'null':
      return 'null';
    case 'list':
      return 'a list';
    case 'object':
      return 'a block';
    case 'expression':
      return 'an expression';
  }
}
