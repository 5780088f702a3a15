import type { StructType, Type } from 'tamis';
import {
  block,
  bool,
  converted,
  duration,
  int,
  labelled,
  list,
  map,
  repeated,
  text,
  type Fields,
  type Reader,
} from '@tamis/config';
import { parseGoDuration } from '@tamis/http';
import { whyRefused } from '../model/job-rules/unsupported.js';
import { isDuration } from '../model/row-type.js';
import { readConditions } from './hcl-conditions.js';
import { freeForm } from './hcl-free-form.js';
import { hclName, labelField, writableFields } from './hcl-names.js';
import { portFields, sortPorts } from './hcl-ports.js';
import type { JobDefinition } from './job-definition.js';

// Which blocks there are, and what stands in them, follows from the shape of a submitted job.

/** A reader of a block. @param property under which it stands in the API; empty for the job. */
export function readerOfBlock(shape: StructType, property: string): Reader<JobDefinition> {
  const names = writableFields(shape, property);
  const fields: Fields = Object.fromEntries(
    names.map((name) => [hclName(name), readerOfField(name, shape.properties.get(name)?.type)]),
  );
  const rename = (values: JobDefinition): JobDefinition =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = values[hclName(name)];
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
  switch (property) {
    case 'Networks':
      return converted(block({ ...fields, ...portFields }), (values) => ({
        ...rename(values),
        ...sortPorts(values),
      }));
    case 'Constraints':
    case 'Affinities':
      return readConditions(fields, rename);
    default:
      return converted(block(fields), rename);
  }
}

function readerOfField(property: string, type: Type | undefined): Reader<unknown> {
  const why = whyRefused(property);
  if (why !== null) return refused(why);
  return type === undefined ? freeForm() : readerOf(type, property);
}

/** Values of conditions are texts, and often look like numbers. */
const scalarTexts: ReadonlySet<string> = new Set(['RTarget', 'Value']);
/** Durations in blocks of which only the names are known. */
const freeDurations: ReadonlySet<string> = new Set(['Interval', 'Timeout', 'Grace']);

function readerOf(type: Type, property: string): Reader<unknown> {
  switch (type.kind) {
    case 'string':
      return text({ scalars: scalarTexts.has(property) });
    case 'bool':
      return bool();
    case 'int':
      return isDuration(type) ? converted(duration(), exactNumber) : int();
    case 'uint':
    case 'bytes':
      return int({ min: 0 });
    case 'list':
      return type.of.kind === 'struct'
        ? readerOfBlocks(type.of, property)
        : list(readerOf(type.of, property));
    case 'map':
      return type.of.kind === 'string' ? texts() : freeForm();
    case 'struct':
      return readerOfBlock(type, property);
    default:
      return freeDurations.has(property) ? converted(freeForm(), durationOrAsIs) : freeForm();
  }
}

function readerOfBlocks(shape: StructType, property: string): Reader<unknown> {
  const label = labelField(property);
  const one = readerOfBlock(shape, property);
  if (label === null) return repeated(one);
  return converted(labelled(one), (blocks) =>
    blocks.map(({ label: name, value }) => ({ [label]: name, ...value })),
  );
}

function texts(): Reader<unknown> {
  return converted(map(text({ scalars: true })), (entries) => Object.fromEntries(entries));
}

function refused(why: string): Reader<never> {
  return {
    read({ occurrences, path }, report) {
      report.mistake(occurrences[0].at, path, why);
      return undefined;
    },
  };
}

function exactNumber(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function durationOrAsIs(value: unknown): unknown {
  const nanoseconds = typeof value === 'string' ? parseGoDuration(value) : null;
  return nanoseconds === null ? value : exactNumber(nanoseconds);
}
