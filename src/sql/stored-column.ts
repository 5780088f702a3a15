/** How a column stores the values of rows. */
export type StoredAs =
  | 'text'
  | 'int'
  | 'float'
  | 'real'
  | 'bool'
  | 'timestamptz'
  | 'timestamp'
  | 'date'
  | 'datetime'
  | 'datetime64'
  | 'timeText'
  | 'looseText'
  | 'uuid'
  | 'enum'
  | 'numeric'
  | 'array'
  | 'json'
  | 'map'
  | 'struct';

/** A column of a table, for a mapping. Created by `text`, `int` and similar functions. */
export interface Column {
  readonly store: StoredAs;
  readonly name: string;
  /** The property names from the value of a JSON column to the value in it. */
  readonly path: readonly string[];
  readonly notNull: boolean;
  /** Whether the column is declared with byte collation, so that queries need not specify it. */
  readonly isBytewise: boolean;
  /**
   * Whether a constraint excludes values that rows cannot have: U+0000, instants outside of the years 1 to 9999, and invalid
   * JSON.
   */
  readonly isChecked: boolean;
  /** Number of fraction digits of a second in a `timeText`. */
  readonly digits: 0 | 3 | 6 | 9;
  /** The column type of the elements of an array; null if it follows from the schema, and for other columns. */
  readonly element: Column | null;
  /** The type and the labels of an enum. */
  readonly labels?: EnumLabels;
  /** The declared digits of a `numeric`; null if it is declared without. */
  readonly size?: NumericSize | null;
}

/** An enum type: its name, or the names of its schema and itself, and its labels. */
export interface EnumLabels {
  readonly type: readonly string[];
  readonly values: readonly string[];
}

/** The digits of a decimal, in all and after the point. */
export interface NumericSize {
  readonly precision: number;
  readonly scale: number;
}
