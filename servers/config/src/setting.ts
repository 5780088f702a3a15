import type { Located, Reader, TextForm } from './reader.js';

/** One setting of a program: its sources, its valid values and its default. */
export interface Setting<T, P extends string = string> {
  /** Path of the setting in a file: `ports.http` is `http` in the block `ports`. A label is part of the path. */
  readonly path: P;
  readonly reader: Reader<NonNullable<T>>;
  /** Form of the value as strings; null if only files can set it. */
  readonly form: TextForm | null;
  /** Name of the flag without dashes; null for none. */
  readonly flag: string | null;
  /** The argument of the flag, for the help. */
  readonly argument: string;
  /** Description of the setting, for the help. */
  readonly about: string;
  /** Default of the setting. */
  readonly fallback: T;
  /** Description of the default; empty for none. */
  readonly displayDefault: string;
  /** Default with `--dev`, if it is different. */
  readonly dev: T | undefined;
  /** Whether the value is a secret. If so, its variable may also name a file with the value. */
  readonly isSecret: boolean;
}

export interface SettingOptions<T> {
  /** Description of the default, if it differs from its source form. */
  readonly displayDefault?: string;
  readonly dev?: T;
  readonly isSecret?: boolean;
}

/**
 * Declares a setting. Its variable, flag, help and the type of the configuration are derived from this declaration.
 *
 * @param path in a file. @param fallback default; null for none. @param flag with its argument, such as `--region NAME`; null for none
 */
export function setting<T, const P extends string, const D extends T | null>(
  path: P,
  reader: Reader<T>,
  fallback: D,
  flag: string | null,
  about: string,
  options: SettingOptions<NoInfer<T>> = {},
): Setting<null extends D ? T | null : T, P> {
  type Value = null extends D ? T | null : T;
  const [name, ...argument] = flag?.replace(/^--/, '').split(' ') ?? [];
  return {
    path,
    // This cast is safe, because a reader never returns null.
    reader: reader as Reader<NonNullable<Value>>,
    form: reader.form ?? null,
    flag: name ?? null,
    argument: argument.join(' '),
    about,
    fallback: fallback as Value,
    displayDefault: options.displayDefault ?? inWords(fallback),
    dev: options.dev as Value | undefined,
    isSecret: options.isSecret ?? false,
  };
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A tree of settings with the form of the configuration. */
export interface SettingTree {
  readonly [location: string]: Setting<unknown> | SettingTree;
}

/** The values of the settings of a tree, in its form. */
export type ValuesOf<S> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : ValuesOf<S[K]>;
};

/** The paths of the settings of a tree. */
export type PathsOf<S> = {
  [K in keyof S]: S[K] extends Setting<unknown, infer P> ? P : PathsOf<S[K]>;
}[keyof S];

/** The given settings by their paths, with their positions. */
export type GivenSettings = Readonly<Record<string, Located<unknown> | undefined>>;

export function settingsIn(tree: SettingTree): readonly Setting<unknown>[] {
  return Object.values(tree).flatMap((each) => (isSetting(each) ? [each] : settingsIn(each)));
}

/**
 * Returns the values of the settings of a tree: the given ones, otherwise their defaults.
 *
 * @param defaults values in the form of the tree that replace the defaults of the settings
 */
export function valuesIn<S extends SettingTree>(
  tree: S,
  given: GivenSettings,
  devMode: boolean,
  defaults?: unknown,
): ValuesOf<S> {
  const known = (defaults ?? {}) as Readonly<Record<string, unknown>>;
  const values = Object.entries(tree).map(([location, each]) => {
    if (!isSetting(each)) return [location, valuesIn(each, given, devMode, known[location])] as const;
    const unsaid = location in known ? known[location] : each.fallback;
    return [location, given[each.path]?.value ?? (devMode ? each.dev : undefined) ?? unsaid] as const;
  });
  // This cast is safe: each value was read by the reader of its setting, or is its default.
  return Object.fromEntries(values) as ValuesOf<S>;
}

function isSetting(each: Setting<unknown> | SettingTree): each is Setting<unknown> {
  return 'reader' in each;
}
