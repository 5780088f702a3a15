import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parseSchema, type Level, type Schema } from 'tamis';
import { fromJSONSchema } from 'tamis/json-schema';

/** Files that hold filters, as the setting `filters` names them. */
export interface FilterSetting {
  /** A glob, from the folder that is open. */
  readonly files: string;
  /** A file with a schema, or a JSON Schema, from the same folder. */
  readonly schema?: string;
  /** Keys in JSON and YAML, `*` for any. Without it the whole file is a filter. */
  readonly at?: readonly string[];
  readonly level?: Level;
}

/** What is in force until settings say otherwise: files of this name are filters. */
const defaultSettings: readonly FilterSetting[] = [{ files: '**/*.tamis' }];

/** Reports an invalid setting to the user. */
type Warn = (message: string) => void;

/** The settings of whatever shape as far as they are what {@link FilterSetting} says. */
export function readSettings(given: unknown, warn: Warn): readonly FilterSetting[] {
  const { filters } = (given ?? {}) as { readonly filters?: unknown };
  if (Array.isArray(filters)) return filters.flatMap((each, at) => readSetting(each, at, warn));
  if (filters !== undefined) warn('tamis.filters: expected a list');
  return defaultSettings;
}

/** A user-written glob; longer ones make the matcher throw. */
const maxGlobLength = 1_000;

/** A setting that is what {@link FilterSetting} says; none, and a warning, for another. */
function readSetting(given: unknown, index: number, warn: Warn): FilterSetting[] {
  const { files, schema, at, level } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const expected =
    typeof files !== 'string' || files.length > maxGlobLength
      ? `files: expected a glob of at most ${maxGlobLength} characters`
      : schema !== undefined && typeof schema !== 'string'
        ? 'schema: expected the path of a file'
        : at !== undefined &&
            !(Array.isArray(at) && at.every((key) => ['string', 'number'].includes(typeof key)))
          ? 'at: expected a list of keys, such as ["rules", "*", "filter"]'
          : level !== undefined && level !== 0 && level !== 1
            ? 'level: expected 0 or 1'
            : null;
  if (expected !== null) {
    warn(`tamis.filters[${index}].${expected}`);
    return [];
  }
  return [
    {
      files: String(files).replace(/^\.\//, ''),
      ...(typeof schema === 'string' && { schema }),
      ...(Array.isArray(at) && { at: at.map(String) }),
      ...((level === 0 || level === 1) && { level }),
    },
  ];
}

/** Schemas by their files, as of their first use. */
export class SchemaFiles {
  private readonly read = new Map<string, Schema | null>();

  constructor(private readonly warn: Warn) {}

  /** Null, and a warning, for an invalid file. A relative path is relative to the folder. */
  get(folder: string, path: string): Schema | null {
    const file = isAbsolute(path) ? path : join(folder, path);
    const known = this.read.get(file);
    if (known !== undefined) return known;
    const schema = readSchema(file, this.warn);
    this.read.set(file, schema);
    return schema;
  }

  forget(): void {
    this.read.clear();
  }
}

function readSchema(path: string, warn: Warn): Schema | null {
  try {
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const isOurs = typeof document === 'object' && document !== null && 'structs' in document;
    return isOurs ? parseSchema(document) : fromJSONSchema(document);
  } catch (error) {
    warn(`${path} is no schema: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}
