import type { Random } from './random.js';

/** What a job registered with a scheduler looks like: about forty leaves. */
export interface Job {
  readonly ID: string;
  readonly ParentID: string;
  readonly Name: string;
  readonly Namespace: string;
  readonly Region: string;
  readonly Type: string;
  readonly Priority: number;
  readonly Status: string;
  readonly StatusDescription: string;
  readonly Stop: boolean;
  readonly Periodic: boolean;
  readonly ParameterizedJob: boolean;
  readonly Datacenters: readonly string[];
  readonly Multiregion: unknown;
  readonly Meta: Readonly<Record<string, string>>;
  readonly TaskGroups: readonly TaskGroup[];
  readonly JobSummary: JobSummary;
  readonly SubmitTime: number;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
  readonly JobModifyIndex: number;
}

export interface TaskGroup {
  readonly Name: string;
  readonly Count: number;
  readonly Tasks: readonly unknown[];
}

export interface JobSummary {
  readonly JobID: string;
  readonly Namespace: string;
  readonly Summary: Readonly<Record<string, unknown>>;
  readonly Children: { readonly Pending: number; readonly Running: number; readonly Dead: number };
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

/**
 * Twelve regions, all longer than ten characters. `JSON.parse` makes one string of equal short values; longer ones come
 * out as a copy for each row, so that comparing them compares their characters. Real region names are of that length.
 */
export const regions = [
  'us-central1',
  'us-southeast1',
  'northamerica-east1',
  'southamerica-east1',
  'europe-west1',
  'europe-north1',
  'europe-central2',
  'asia-south1',
  'asia-northeast1',
  'asia-southeast1',
  'australia-southeast1',
  'africa-south1',
] as const;

const families = 'web api worker cron db search billing auth etl ingest export mail'.split(' ');
const subjects =
  'frontend Frontend checkout catalog orders payments users events reports images sessions invoices'.split(
    ' ',
  );
const groupNames = 'web api cache db worker proxy queue metrics'.split(' ');
const namespaces = 'default default default platform payments search data staging'.split(' ');

/** Numbers that occur nowhere else in the files that speak of the rows: others are drawn in their places. */
export const priorities = [15, 27, 35, 45, 55, 65, 70, 85, 95, 99];
const drivers = 'docker exec raw_exec java'.split(' ');

export function makeJob(random: Random, index: number): Job {
  const name = `${random.pick(families)}-${random.pick(subjects)}-${index}`;
  const namespace = random.pick(namespaces);
  const created = 1000 + index * 7;
  const groups = Array.from({ length: 1 + random.int(4) }, () => makeTaskGroup(random));
  return {
    ID: `${name}@${namespace}`,
    ParentID: random.chance(0.2) ? `${name}/periodic` : '',
    Name: name,
    Namespace: namespace,
    Region: random.pick(regions),
    Type: random.pick(['service', 'service', 'batch', 'system', 'sysbatch']),
    Priority: random.pick(priorities),
    Status: random.pick(['running', 'running', 'pending', 'dead', 'dead', 'dead']),
    StatusDescription: random.chance(0.1) ? 'evaluation waits for more machines' : '',
    Stop: random.chance(0.1),
    Periodic: random.chance(0.1),
    ParameterizedJob: random.chance(0.05),
    Datacenters: ['dc1', 'dc2', 'dc3', 'dc4', 'dc5', 'dc10'].filter(() => random.chance(0.3)),
    Multiregion: makeMultiregion(random),
    Meta: makeMeta(random),
    TaskGroups: groups,
    JobSummary: makeSummary(random, name, namespace, groups),
    SubmitTime: 1_645_230_445_788 + index * 1009,
    CreateIndex: created,
    ModifyIndex: created + random.int(5000),
    JobModifyIndex: created + random.int(100),
  };
}

function makeMeta(random: Random): Record<string, string> {
  // One form of filled Meta, so that the mono data have one shape apart from the empty one.
  if (random.chance(0.4)) return {};
  return {
    owner: `team-${random.int(40)}`,
    tier: random.pick(['gold', 'silver', 'bronze']),
    revision: `${random.int(1e6)}`,
  };
}

function makeTaskGroup(random: Random): TaskGroup {
  const tasks = Array.from({ length: 1 + random.int(2) }, (_, index) => ({
    Name: `task-${index}`,
    Driver: random.pick(drivers),
    Config: { image: `images.example/app:${random.int(90)}`, ports: ['http'] },
    Meta: {},
  }));
  return { Name: random.pick(groupNames), Count: 1 + random.int(9), Tasks: tasks };
}

function makeMultiregion(random: Random): unknown {
  return {
    Strategy: { MaxParallel: random.int(4), OnFailure: 'fail_rest' },
    Regions: [{ Name: random.pick(regions), Count: random.int(3), Datacenters: ['dc1'], Meta: {} }],
  };
}

function makeSummary(
  random: Random,
  name: string,
  namespace: string,
  groups: readonly TaskGroup[],
): JobSummary {
  const counts = groups.map((group) => {
    const summary = {
      Queued: 0,
      Complete: 0,
      Failed: random.int(3),
      Running: group.Count,
      Starting: 0,
      Lost: 0,
    };
    return [group.Name, summary] as const;
  });
  return {
    JobID: name,
    Namespace: namespace,
    Summary: Object.fromEntries(counts),
    Children: { Pending: 0, Running: random.int(3), Dead: random.int(9) },
    CreateIndex: random.int(9999),
    ModifyIndex: random.int(9999),
  };
}
