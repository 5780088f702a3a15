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
import { withTexts } from '@tamis/scheduler-model/driver-config.js';
import { whyRefused } from '@tamis/scheduler-model/job-rules/unsupported.js';
import { isDuration } from '@tamis/scheduler-model/row-type.js';
import { freeForm } from './hcl-free-form.js';
import { hclName, labelField, writableFields } from './hcl-names.js';
import type { JobDefinition } from './job-definition.js';

// Blocks and their content are derived from the shape of a submitted job.

const refusals = new Set<string>();

/** Returns the reader of a block. @param property its API name; empty for the job. */
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
    case '':
      return readerOfJob(shape, fields, rename);
    case 'TaskGroups':
      return converted(block({ ...fields, vault }), rename);
    case 'Tasks':
      return converted(block(fields), (values) => withTextsOfDriver(rename(values)));
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

/** Numbers and booleans are converted if a string is expected, also in the `Config` of known drivers. */
function withTextsOfDriver(task: JobDefinition): JobDefinition {
  const { Driver, Config } = task;
  if (typeof Driver !== 'string' || typeof Config !== 'object' || Config === null) return task;
  return { ...task, Config: withTexts(Driver, Config as Readonly<Record<string, unknown>>) };
}

/** Applies to all tasks below it. */
const vault = refused(whyRefused('Vault') ?? 'nothing here talks to Vault');

/** Tasks may be directly in the job; each then becomes a separate group. */
function readerOfJob(
  { properties }: StructType,
  fields: Fields,
  rename: (values: JobDefinition) => JobDefinition,
): Reader<JobDefinition> {
  const group = elementOf(properties.get('TaskGroups')?.type);
  const task = elementOf(group?.properties.get('Tasks')?.type);
  if (task === null) throw new TypeError('a job without groups and tasks');
  const tokens = { consul_token: refused(tokenOf('Consul')), vault_token: refused(tokenOf('Vault')) };
  const all: Fields = { ...fields, ...tokens, vault, task: readerOfBlocks(task, 'Tasks') };
  return converted(block(all), (values: JobDefinition) => {
    const job = rename(values);
    const tasks = values['task'] as readonly JobDefinition[] | undefined;
    if (tasks === undefined) return job;
    const alone = tasks.map((one) => ({ Name: one['Name'], Tasks: [one] }));
    return { ...job, TaskGroups: [...alone, ...((job['TaskGroups'] ?? []) as readonly unknown[])] };
  });
}

function elementOf(type: Type | undefined): StructType | null {
  return type?.kind === 'list' && type.of.kind === 'struct' ? type.of : null;
}

function tokenOf(system: string): string {
  return `nothing here talks to ${system}, and its token would be kept for nothing: leave it out`;
}

function readerOfField(property: string, type: Type | undefined): Reader<unknown> {
  const why = whyRefused(property);
  if (why !== null) return refused(why);
  return type === undefined ? freeForm() : readerOf(type, property);
}

/** Scaling policy types of a task, by label. */
const scalingTypes: ReadonlyMap<unknown, string> = new Map([
  ['cpu', 'vertical_cpu'],
  ['mem', 'vertical_mem'],
]);

function readerOf(type: Type, property: string): Reader<unknown> {
  switch (type.kind) {
    case 'string':
      // A number is converted if a string is expected, as in HCL 2.
      return text({ scalars: true });
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
      return ['any', 'struct'].includes(type.of.kind) ? freeForm() : mapOf(readerOf(type.of, property));
    case 'struct':
      return readerOfBlock(type, property);
    default:
      return freeForm();
  }
}

function readerOfBlocks(shape: StructType, property: string): Reader<unknown> {
  const label = labelField(property);
  const one = readerOfBlock(shape, property);
  if (label === null) return repeated(one);
  return converted(labelled(one), (blocks) =>
    blocks.map(({ label: name, value }) => {
      const given = property === 'ScalingPolicies' ? (scalingTypes.get(name) ?? name) : name;
      return { [label]: given, ...value };
    }),
  );
}

function mapOf(reader: Reader<unknown>): Reader<unknown> {
  return converted(map(reader), (entries) => Object.fromEntries(entries));
}

/** Whether a mistake is an unsupported block, so that the rest of the job can be validated without it. */
export const isRefusal = ({ problem }: { readonly problem: string }): boolean => refusals.has(problem);

function refused(why: string): Reader<never> {
  refusals.add(why);
  return {
    read({ occurrences, path }, report) {
      report.unknown(occurrences[0].at, path, why);
      return undefined;
    },
  };
}

function exactNumber(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Operators that can be a key with the value to compare: `version = ">= 1.2"`. */
const operators = [
  'regexp',
  'version',
  'semver',
  'set_contains',
  'set_contains_all',
  'set_contains_any',
] as const;

const shorthand: Fields = {
  ...Object.fromEntries(operators.map((operator) => [operator, text({ scalars: true })])),
  distinct_hosts: bool(),
  distinct_property: text(),
};

/** Reads constraints or affinities, with the operator as a key or as the value of `operator`. */
function readConditions(
  fields: Fields,
  rename: (values: JobDefinition) => JobDefinition,
): Reader<JobDefinition> {
  return converted(block({ ...fields, ...shorthand }), (values: JobDefinition, refuse) => {
    const given = Object.keys(shorthand).filter((key) => values[key] !== undefined);
    const [operator, other] = given;
    if (other !== undefined) return refuse(`${operator} and ${other} exclude each other`);
    // Most conditions have the default operator.
    if (operator === undefined) return { Operand: '=', ...rename(values) };
    if (values['operator'] !== undefined) return refuse(`${operator} and operator exclude each other`);
    const value = values[operator];
    const condition = { ...rename(values), Operand: operator };
    switch (operator) {
      case 'distinct_hosts':
        return { ...condition, RTarget: String(value) };
      case 'distinct_property':
        return { ...condition, LTarget: value };
      default:
        return { ...condition, RTarget: value };
    }
  });
}

/** Fields of a port: `port "http" { static = 8080 }`, or a dynamic one without `static`. */
const portFields = {
  port: labelled(
    block({
      static: int({ min: 0, max: 65_535 }),
      to: int(),
      host_network: text(),
      ignore_collision: bool(),
    }),
  ),
} as const;

interface Port {
  readonly label: string;
  readonly value: {
    readonly static: number | undefined;
    readonly to: number | undefined;
    readonly host_network: string | undefined;
    readonly ignore_collision: boolean | undefined;
  };
}

/** Returns the ports of a network as in the API: fixed and dynamic ones separately. */
function sortPorts({ port: ports }: { readonly port?: readonly Port[] | undefined }): JobDefinition {
  const all = (ports ?? []).map(({ label, value }) => ({
    isFixed: (value.static ?? 0) > 0,
    port: withoutUndefined({
      ...{ Label: label, Value: value.static, To: value.to },
      ...{ HostNetwork: value.host_network, IgnoreCollision: value.ignore_collision },
    }),
  }));
  const fixed = all.filter(({ isFixed }) => isFixed).map(({ port }) => port);
  const free = all.filter(({ isFixed }) => !isFixed).map(({ port }) => port);
  return {
    ...(fixed.length === 0 ? {} : { ReservedPorts: fixed }),
    ...(free.length === 0 ? {} : { DynamicPorts: free }),
  };
}

function withoutUndefined(fields: JobDefinition): JobDefinition {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
