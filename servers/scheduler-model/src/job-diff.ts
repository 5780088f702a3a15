import type { ListType, MapType, StructType, Type } from 'tamis';
import { writeJson } from '@tamis/http';
import { jobShape, type Job } from './job.js';
import { isSame, notSpecified } from './same-spec.js';
import { taskGroupShape } from './task-group.js';
import { taskShape } from './task.js';

export type DiffType = 'None' | 'Added' | 'Deleted' | 'Edited';

/** A changed value. Missing values are empty strings. */
export interface FieldDiff {
  readonly Type: DiffType;
  /** Name of the field; `Meta[owner]` for a map entry. */
  readonly Name: string;
  readonly Old: string;
  readonly New: string;
  readonly Annotations: null;
}

/** A changed block. Null if nothing in it differs. */
export interface ObjectDiff {
  readonly Type: DiffType;
  readonly Name: string;
  readonly Fields: readonly FieldDiff[] | null;
  readonly Objects: readonly ObjectDiff[] | null;
}

export interface TaskDiff extends ObjectDiff {
  /** Effects on its allocations; null if there is no plan. */
  readonly Annotations: readonly string[] | null;
}

export interface TaskGroupDiff extends ObjectDiff {
  readonly Tasks: readonly TaskDiff[] | null;
  /** Number of allocations per kind of update; null if there is no plan. */
  readonly Updates: Readonly<Record<string, number>> | null;
}

/** Differences between a version of a job and the previous one. */
export interface JobDiff extends Omit<ObjectDiff, 'Name'> {
  readonly ID: string;
  readonly TaskGroups: readonly TaskGroupDiff[] | null;
}

type Members = Readonly<Record<string, unknown>>;
type Contents = Pick<ObjectDiff, 'Fields' | 'Objects'>;

const jobParts: ReadonlySet<string> = new Set([...notSpecified, 'ID', 'TaskGroups']);
const groupParts: ReadonlySet<string> = new Set(['Name', 'Tasks']);
const taskParts: ReadonlySet<string> = new Set(['Name']);

/**
 * Compares two versions of a job, null for a missing one. Ignores fields that the cluster writes, such as statuses and indexes.
 */
export function diffJobs(before: Job | null, after: Job): JobDiff {
  const contents = diffMembers(jobShape, before as Members | null, after as unknown as Members, jobParts);
  const groups = diffNamed(before?.TaskGroups ?? null, after.TaskGroups, diffGroup);
  return {
    Type: typeOf(before, after, contents, groups),
    ID: after.ID,
    ...contents,
    TaskGroups: orNull(groups),
  };
}

function diffGroup(Name: string, before: Members | null, after: Members | null): TaskGroupDiff {
  const contents = diffMembers(taskGroupShape, before, after, groupParts);
  const tasks = diffNamed(listOf(before?.['Tasks']), listOf(after?.['Tasks']), diffTask);
  const Type = typeOf(before, after, contents, tasks);
  return { Type, Name, ...contents, Tasks: orNull(tasks), Updates: null };
}

function diffTask(Name: string, before: Members | null, after: Members | null): TaskDiff {
  const contents = diffMembers(taskShape, before, after, taskParts);
  return { Type: typeOf(before, after, contents, []), Name, ...contents, Annotations: null };
}

/** Pairs entries by name and omits unchanged ones. */
function diffNamed<D>(
  before: readonly object[] | null,
  after: readonly object[] | null,
  diff: (name: string, before: Members | null, after: Members | null) => D,
): D[] {
  const old = byName(before);
  const now = byName(after);
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names
    .filter((name) => !isSame(old.get(name), now.get(name)))
    .map((name) => diff(name, old.get(name) ?? null, now.get(name) ?? null));
}

function byName(list: readonly object[] | null): ReadonlyMap<string, Members> {
  return new Map((list ?? []).map((item) => [String((item as Members)['Name']), item as Members]));
}

function diffMembers(
  { properties }: StructType,
  before: Members | null,
  after: Members | null,
  skipped: ReadonlySet<string>,
): Contents {
  const found: { fields: FieldDiff[]; objects: ObjectDiff[] } = { fields: [], objects: [] };
  for (const { property: name, type } of properties.values()) {
    if (!skipped.has(name)) diffValue(name, type, before?.[name] ?? null, after?.[name] ?? null, found);
  }
  return { Fields: orNull(found.fields), Objects: orNull(found.objects) };
}

function diffValue(
  name: string,
  type: Type,
  before: unknown,
  after: unknown,
  found: { readonly fields: FieldDiff[]; readonly objects: ObjectDiff[] },
): void {
  if (isSame(before, after)) return;
  switch (type.kind) {
    case 'struct':
      found.objects.push(diffStruct(name, type, before as Members | null, after as Members | null));
      return;
    case 'map':
      return diffMap(name, type, before, after, found);
    case 'list':
      found.objects.push(...diffList(name, type, listOf(before), listOf(after)));
      return;
    default:
      found.fields.push(...diffField(name, before, after));
  }
}

function diffStruct(
  name: string,
  struct: StructType,
  before: Members | null,
  after: Members | null,
): ObjectDiff {
  const contents = diffMembers(struct, before, after, new Set());
  return { Type: typeOf(before, after, contents, []), Name: name, ...contents };
}

function diffMap(
  name: string,
  { of }: MapType,
  before: unknown,
  after: unknown,
  found: Parameters<typeof diffValue>[4],
): void {
  const old = new Map(Object.entries((before ?? {}) as Members));
  const now = new Map(Object.entries((after ?? {}) as Members));
  for (const key of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    diffValue(`${name}[${key}]`, of, old.get(key) ?? null, now.get(key) ?? null, found);
  }
}

/** Returns entries that exist on one side only. Entries have no names, so an edited one counts as deleted and added. */
function diffList(
  name: string,
  { of }: ListType,
  before: readonly object[],
  after: readonly object[],
): ObjectDiff[] {
  const gone = without(before, after);
  const come = without(after, before);
  if (of.kind === 'struct' && of.nullDepth === 0) {
    const one = singular(name);
    return [
      ...gone.map((item) => diffStruct(one, of, item as Members, null)),
      ...come.map((item) => diffStruct(one, of, null, item as Members)),
    ];
  }
  const Fields = [
    ...gone.flatMap((item) => diffField(name, item, null)),
    ...come.flatMap((item) => diffField(name, null, item)),
  ];
  if (Fields.length === 0) return [];
  const Type = before.length === 0 ? 'Added' : after.length === 0 ? 'Deleted' : 'Edited';
  return [{ Type, Name: name, Fields, Objects: null }];
}

/** Compares strings, because clients determine the length of the lists. */
function without(list: readonly object[], others: readonly object[]): readonly object[] {
  const known = new Set(others.map((item) => writeJson(item)));
  return list.filter((item) => !known.has(writeJson(item)));
}

function diffField(Name: string, before: unknown, after: unknown): FieldDiff[] {
  const Old = textOf(before);
  const New = textOf(after);
  if (Old === New) return [];
  const Type = Old === '' ? 'Added' : New === '' ? 'Deleted' : 'Edited';
  return [{ Type, Name, Old, New, Annotations: null }];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? writeJson(value) : String(value as string | number | bigint | boolean);
}

function typeOf(
  before: object | null,
  after: object | null,
  { Fields, Objects }: Contents,
  parts: readonly unknown[],
): DiffType {
  if (before === null) return 'Added';
  if (after === null) return 'Deleted';
  return Fields === null && Objects === null && parts.length === 0 ? 'None' : 'Edited';
}

function listOf(value: unknown): readonly object[] {
  return Array.isArray(value) ? (value as readonly object[]) : [];
}

function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list;
}

function singular(name: string): string {
  return name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '');
}
