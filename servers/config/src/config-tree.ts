import type { Position } from './position.js';

/** A value of a configuration. HCL and JSON give the same tree, except for `null`, which HCL 1 does not have. */
export type ConfigValue =
  ConfigText | ConfigNumber | ConfigBool | ConfigNull | ConfigList | ConfigObject | ConfigExpression;

export interface ConfigText {
  readonly kind: 'text';
  readonly value: string;
  /** Expressions of HCL 2 in the string, as written. */
  readonly computed?: readonly string[];
  readonly at: Position;
}

export interface ConfigNumber {
  readonly kind: 'number';
  readonly value: number;
  /** The number as written, in HCL 2 in its shortest form: a double cannot represent every 64-bit integer. */
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
  /** Entries in source order. A repeated key has several entries. */
  readonly entries: readonly ConfigEntry[];
  readonly at: Position;
  /** True for a block of HCL; absent for an object that is the value of a setting. */
  readonly isBlock?: true;
}

/** An expression of HCL 2, as written: `var.x`, `upper("a")`, `1 + 2`. */
export interface ConfigExpression {
  readonly kind: 'expression';
  readonly text: string;
  readonly at: Position;
}

export interface ConfigEntry {
  readonly key: string;
  /** True if the key is the label of a block. */
  readonly isLabel?: true;
  /** The position of the key. */
  readonly at: Position;
  readonly value: ConfigValue;
}

/** Returns the kind of a value for messages. */
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
