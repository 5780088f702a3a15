import { parseConfig, type ConfigObject, type ConfigValue, type Position } from '@tamis/config';
import { hclName, labelField } from './hcl-names.js';
import { maxJobFile } from './job-definition.js';

/** Finds the position of a part of a job in its file, by the names of the API. */
export interface JobPlaces {
  /** Returns the position of a field, or of its parent: `TaskGroups[0].Tasks[1].Driver`. */
  ofPath(path: string): Position | null;
  /** Returns the whole job; null without a position. */
  root(): FilePlace | null;
}

/** A part of a job in its file. */
export interface FilePlace {
  readonly at: Position;
  /** Returns the part of a field: the `index`-th of several. */
  child(field: string, index?: number): FilePlace | null;
  /** Returns the block of a field with this name. */
  named(field: string, name: string): FilePlace | null;
}

interface Found {
  readonly at: Position;
  readonly name: string | null;
  readonly value: ConfigValue;
}

/** A source in HCL or JSON. It has already been parsed. */
export function createJobPlaces(text: string, name: string): JobPlaces {
  const isJson = /^\uFEFF?[ \t\r\n]*\{/.test(text);
  const childrenOf = isJson ? jsonChildren : hclChildren;
  const limits = { maxLength: maxJobFile, maxDepth: 64 };
  let root: FilePlace | null | undefined;

  function placeOf(found: Found | undefined): FilePlace | null {
    if (found === undefined) return null;
    const { at, value } = found;
    const children = (field: string): readonly Found[] =>
      value.kind === 'object' ? childrenOf(value, field) : [];
    return {
      at,
      child: (field, index = 0) => placeOf(children(field)[index]),
      named: (field, requested) => placeOf(children(field).find((one) => isNamed(one, requested))),
    };
  }

  function readRoot(): FilePlace | null {
    const tree = parseConfig(text, { name, syntax: isJson ? 'json' : 'hcl2', limits });
    const [job] = isJson ? jsonChildren(tree, 'Job') : hclChildren(tree, 'job');
    const [labelled] = !isJson && job?.value.kind === 'object' ? job.value.entries : [];
    const value = labelled?.value ?? job?.value ?? tree;
    return placeOf({ at: job?.at ?? tree.at, name: null, value });
  }

  const places: JobPlaces = {
    root: () => (root ??= readRoot()),
    ofPath(path) {
      let place = places.root();
      for (const [, field = '', index = '0'] of path.matchAll(/(\w[\w-]*)(?:\[(\d+)\])?/g)) {
        const next = place?.child(field, Number(index)) ?? null;
        if (next === null) break;
        place = next;
      }
      return place?.at ?? null;
    },
  };
  return places;
}

/** Messages shorten long names. */
function isNamed({ name, value }: Found, requested: string): boolean {
  const own = name ?? textIn(value, 'Name');
  return (
    own !== null && (own === requested || (requested.endsWith('…') && own.startsWith(requested.slice(0, -1))))
  );
}

function textIn(value: ConfigValue, field: string): string | null {
  const [found] = value.kind === 'object' ? jsonChildren(value, field) : [];
  return found?.value.kind === 'text' ? found.value.value : null;
}

function jsonChildren({ entries }: ConfigObject, field: string): readonly Found[] {
  return entries
    .filter(({ key }) => key.toLowerCase() === field.toLowerCase())
    .flatMap(({ at, value }) => itemsOf(at, value));
}

function hclChildren({ entries }: ConfigObject, field: string): readonly Found[] {
  const name = hclName(field);
  const own = entries.filter(({ key }) => key === name || key === field);
  const found =
    labelField(field) === null
      ? own.flatMap(({ at, value }) => itemsOf(at, value))
      : own.flatMap(({ at, value }) =>
          value.kind === 'object'
            ? value.entries.map((entry) => ({ at, name: entry.key, value: entry.value }))
            : [],
        );
  if (field !== 'TaskGroups') return found;
  // Tasks may be directly in the job; each is then its own group.
  const alone = entries.filter(({ key }) => key === 'task');
  return [
    ...alone.flatMap((entry) =>
      entry.value.kind === 'object'
        ? entry.value.entries.map(({ key }): Found => {
            const value: ConfigObject = { kind: 'object', at: entry.at, entries: [entry] };
            return { at: entry.at, name: key, value };
          })
        : [],
    ),
    ...found,
  ];
}

function itemsOf(at: Position, value: ConfigValue): readonly Found[] {
  if (value.kind === 'list') return value.items.map((item) => ({ at: item.at, name: null, value: item }));
  return [{ at, name: null, value }];
}
