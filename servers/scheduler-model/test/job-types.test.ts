import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StructType, Type } from 'tamis';
import { examineJob } from '@tamis/scheduler-model/job-validation.js';
import { completeJob, submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import { readShape, ShapeError } from '@tamis/scheduler-model/read-shape.js';
import { isBase64, maximumOf } from '@tamis/scheduler-model/row-type.js';
import { decodeProblem } from './support/go-decode.js';

/** Values that a type takes, with few elements in lists and maps. */
function valuesOf(type: Type): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'string':
      return isBase64(type) ? fc.constant('YQ==') : fc.constantFrom('', 'a', 'tcp');
    case 'bool':
      return fc.boolean();
    case 'uint':
      return fc.nat({ max: maximumOf(type) ?? 1_000_000 });
    case 'list':
      return fc.array(valuesOf(type.of), { maxLength: 1 });
    case 'map':
      return fc.dictionary(fc.constantFrom('a', 'b'), valuesOf(type.of), { maxKeys: 1 });
    case 'struct':
      return structsOf(type);
    case 'any':
      return fc.constant(null);
    case 'time':
      return fc.constant(type.unit === undefined ? '2026-01-01T00:00:00Z' : 5);
    default:
      return fc.integer({ min: -100, max: 100 });
  }
}

/** Structs with some of their fields. */
function structsOf({ properties }: StructType): fc.Arbitrary<object> {
  const fields = [...properties].map(([name, { type }]) => [name, type] as const);
  return fc
    .uniqueArray(fc.constantFrom(...fields.map((_, at) => at), -1), { maxLength: 12 })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          chosen.flatMap((at) => {
            const field = fields[at];
            return field === undefined
              ? []
              : [[field[0], fc.option(valuesOf(field[1]), { freq: 9 })] as const];
          }),
        ),
      ),
    );
}

/** The places of all values in a value, as paths of keys. */
function placesIn(value: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...place, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  Object.assign(copy, { [key]: replaceAt((value as Readonly<Record<string, unknown>>)[key], rest, by) });
  return copy;
}

const other: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...[
    'ten',
    '10s',
    'true',
    5,
    1.5,
    -1,
    70_000,
    true,
    [],
    ['a'],
    [1],
    {},
    { a: 1 },
    { a: 'b' },
    [[]],
    [{}],
    2n ** 65n,
  ],
);

describe('a job in JSON', () => {
  it('has the types that clients decode wherever it is accepted, and is refused with the place elsewhere', () => {
    const place = { namespace: 'default', region: 'global' };
    let refused = 0;
    fc.assert(
      fc.property(structsOf(submittedJobShape), fc.nat(), other, (job, at, by) => {
        const places = placesIn(job).slice(1);
        const changed = places.length === 0 ? job : replaceAt(job, places[at % places.length] ?? [], by);
        for (const each of [job, changed]) {
          try {
            const given = readShape(submittedJobShape, each, 'Job');
            // The rules of jobs bound weights by 100.
            expect(decodeProblem('Job', completeJob(given, place)) ?? 'int8').toMatch(/int8$/);
          } catch (error) {
            if (!(error instanceof ShapeError)) throw error;
            refused += 1;
            expect(each).not.toBe(job);
            expect(error.message).toMatch(/^Job\.\w+.*: expected /);
          }
        }
      }),
      { numRuns: 2_000 },
    );
    expect(refused).toBeGreaterThan(0);
  });

  it.each<[task: object, message: string]>([
    [
      { Services: [{ Checks: [{ Interval: 'ten' }] }] },
      'Services[0].Checks[0].Interval: expected an integer of 64 bits, found the string "ten"',
    ],
    [
      { Services: [{ Checks: [{ TLSSkipVerify: 'true' }] }] },
      'Services[0].Checks[0].TLSSkipVerify: expected true or false, found the string "true"',
    ],
    [{ Consul: { Cluster: 5 } }, 'Consul.Cluster: expected a string, found the number 5'],
    [{ Actions: [{ Args: 'x' }] }, 'Actions[0].Args: expected a list, found the string "x"'],
    [
      { ScalingPolicies: [{ Min: 'x' }] },
      'ScalingPolicies[0].Min: expected an integer of 64 bits, found the string "x"',
    ],
    [{ Identities: [{ Audience: 'x' }] }, 'Identities[0].Audience: expected a list, found the string "x"'],
    [
      { Resources: { Networks: [{ DNS: { Servers: 'x' } }] } },
      'Resources.Networks[0].DNS.Servers: expected a list, found the string "x"',
    ],
    [
      { Resources: { Networks: [{ CNI: { Args: [] } }] } },
      'Resources.Networks[0].CNI.Args: expected an object, found a list',
    ],
  ])('%j is refused with its place', (task, message) => {
    const job = { TaskGroups: [{ Tasks: [task] }] };
    expect(() => readShape(submittedJobShape, job, 'Job')).toThrow(
      new ShapeError('Job.TaskGroups[0].Tasks[0]', '').path + '.' + message,
    );
  });

  it('is accepted without a command, with a warning', () => {
    const group = { Name: 'g', Tasks: [{ Name: 't', Driver: 'raw_exec' }] };
    const job = completeJob({ ID: 'mini', TaskGroups: [group] }, { namespace: 'default', region: 'global' });
    expect(examineJob(job, 0)).toEqual({
      errors: [],
      warnings: [
        'Job.TaskGroups[0].Tasks[0].Config.command: missing, the driver raw_exec cannot start a task without it',
      ],
    });
  });
});
