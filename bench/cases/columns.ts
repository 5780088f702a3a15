import { priorities, regions, type Job, type TaskGroup } from '../data/job.js';
import type { Node } from '../data/node.js';
import type { RowKind } from '../data/rows.js';
import type { Random } from '../data/random.js';

/** A query of a table, with a literal drawn for each call. */
export interface ColumnCase {
  readonly id: string;
  readonly kind: RowKind;
  /** Whether the values in it are few, so that they have codes. */
  readonly isColumn: boolean;
  readonly draw: (random: Random) => BenchRequest;
}

/** One query: in the language of the engine, and as loops over the rows. */
export interface BenchRequest {
  readonly expression: string;
  /** The same as a condition in SQL, over `sqlColumns`. */
  readonly sql: string;
  readonly select: (rows: never) => readonly unknown[];
  readonly count: (rows: never) => number;
}

const statuses = ['running', 'pending', 'dead'];
const types = ['service', 'batch', 'system', 'sysbatch'];
const spaces = ['default', 'platform', 'payments', 'search', 'data', 'staging'];
const families = 'web api worker cron db search billing auth etl ingest export mail'.split(' ');
const subjects = 'checkout catalog orders payments users events reports images sessions invoices'.split(' ');
const groups = 'web api cache db worker proxy queue metrics'.split(' ');
const centers = ['dc1', 'dc2', 'dc3', 'dc4', 'dc5', 'dc10'];

/* As in `hand-written.ts`: the predicate is in a loop of its own, twice, because a shared loop would lose what is measured. */
export const columnCases: readonly ColumnCase[] = [
  {
    id: 'E1',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const status = random.pick(statuses);
      return {
        expression: `Status == "${status}"`,
        sql: `"Status" = '${status}'`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.Status === status) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) if ((jobs[at] as Job).Status === status) sum += 1;
          return sum;
        },
      };
    },
  },
  {
    id: 'E2',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const [status, type, space] = [random.pick(statuses), random.pick(types), random.pick(spaces)];
      return {
        expression: `Status == "${status}" and Type == "${type}" and Namespace != "${space}"`,
        sql: `"Status" = '${status}' AND "Type" = '${type}' AND "Namespace" <> '${space}'`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.Status === status && job.Type === type && job.Namespace !== space) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.Status === status && job.Type === type && job.Namespace !== space) sum += 1;
          }
          return sum;
        },
      };
    },
  },
  {
    id: 'E3',
    kind: 'nodes',
    isColumn: true,
    draw(random) {
      const arch = random.pick(['arm64', 'amd64']);
      return {
        expression: `NodeResources.Cpu.Arch == "${arch}"`,
        sql: `"NodeResources"."Cpu"."Arch" = '${arch}'`,
        select(nodes: readonly Node[]) {
          const found: Node[] = [];
          for (let at = 0; at < nodes.length; at += 1) {
            const node = nodes[at] as Node;
            if (node.NodeResources.Cpu.Arch === arch) found.push(node);
          }
          return found;
        },
        count(nodes: readonly Node[]) {
          let sum = 0;
          for (let at = 0; at < nodes.length; at += 1) {
            if ((nodes[at] as Node).NodeResources.Cpu.Arch === arch) sum += 1;
          }
          return sum;
        },
      };
    },
  },
  {
    id: 'E4',
    kind: 'nodes',
    isColumn: true,
    draw(random) {
      const arch = random.pick(['arm64', 'amd64']);
      return {
        expression: `Attributes["cpu.arch"] == "${arch}"`,
        sql: `"Attributes"['cpu.arch'] = '${arch}'`,
        select(nodes: readonly Node[]) {
          const found: Node[] = [];
          for (let at = 0; at < nodes.length; at += 1) {
            const node = nodes[at] as Node;
            if (node.Attributes['cpu.arch'] === arch) found.push(node);
          }
          return found;
        },
        count(nodes: readonly Node[]) {
          let sum = 0;
          for (let at = 0; at < nodes.length; at += 1) {
            if ((nodes[at] as Node).Attributes['cpu.arch'] === arch) sum += 1;
          }
          return sum;
        },
      };
    },
  },
  {
    id: 'E5',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const center = random.pick(centers);
      return {
        expression: `"${center}" in Datacenters`,
        sql: `LIST_CONTAINS("Datacenters", '${center}')`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.Datacenters.includes(center)) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) {
            if ((jobs[at] as Job).Datacenters.includes(center)) sum += 1;
          }
          return sum;
        },
      };
    },
  },
  {
    id: 'E6',
    kind: 'jobs',
    isColumn: false,
    draw(random) {
      const start = `${random.pick(families)}-${random.pick(subjects).slice(0, 1 + random.int(5))}`;
      return {
        expression: `Name matches "^${start}"`,
        sql: `PREFIX("Name", '${start}')`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.Name.startsWith(start)) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) if ((jobs[at] as Job).Name.startsWith(start)) sum += 1;
          return sum;
        },
      };
    },
  },
  {
    id: 'E7',
    kind: 'jobs',
    isColumn: false,
    draw(random) {
      const part = `${random.pick(subjects)}-${random.int(10)}`;
      const pattern = new RegExp(part, 'i');
      return {
        expression: `Name matches "(?i)${part}"`,
        sql: `CONTAINS(LOWER("Name"), LOWER('${part}'))`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (pattern.test(job.Name)) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) if (pattern.test((jobs[at] as Job).Name)) sum += 1;
          return sum;
        },
      };
    },
  },
  {
    id: 'E8',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const first = random.int(regions.length);
      const [a, b, c, d, e] = Array.from(
        { length: 5 },
        (_, at) => regions[(first + at * 5) % regions.length] as string,
      );
      return {
        expression: [a, b, c, d, e].map((region) => `Region == "${String(region)}"`).join(' or '),
        sql: `"Region" IN (${[a, b, c, d, e].map((region) => `'${String(region)}'`).join()})`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            const region = job.Region;
            if (region === a || region === b || region === c || region === d || region === e) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) {
            const region = (jobs[at] as Job).Region;
            if (region === a || region === b || region === c || region === d || region === e) sum += 1;
          }
          return sum;
        },
      };
    },
  },
  {
    id: 'E9',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const weight = random.pick(priorities);
      return {
        expression: `Priority == ${String(weight)}`,
        sql: `"Priority" = ${String(weight)}`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.Priority === weight) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) if ((jobs[at] as Job).Priority === weight) sum += 1;
          return sum;
        },
      };
    },
  },
  {
    id: 'E10',
    kind: 'jobs',
    isColumn: true,
    draw: () => ({
      expression: 'Meta is empty',
      sql: 'CARDINALITY("Meta") = 0',
      select(jobs: readonly Job[]) {
        const found: Job[] = [];
        for (let at = 0; at < jobs.length; at += 1) {
          const job = jobs[at] as Job;
          if (isEmpty(job.Meta)) found.push(job);
        }
        return found;
      },
      count(jobs: readonly Job[]) {
        let sum = 0;
        for (let at = 0; at < jobs.length; at += 1) if (isEmpty((jobs[at] as Job).Meta)) sum += 1;
        return sum;
      },
    }),
  },
  {
    id: 'E11',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const name = random.pick(groups);
      return {
        expression: `any TaskGroups as tg { tg.Name == "${name}" }`,
        sql: `LIST_CONTAINS(LIST_TRANSFORM("TaskGroups", LAMBDA g: g."Name"), '${name}')`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            const own = job.TaskGroups;
            for (let place = 0; place < own.length; place += 1) {
              if ((own[place] as TaskGroup).Name !== name) continue;
              found.push(job);
              break;
            }
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) {
            const own = (jobs[at] as Job).TaskGroups;
            for (let place = 0; place < own.length; place += 1) {
              if ((own[place] as TaskGroup).Name !== name) continue;
              sum += 1;
              break;
            }
          }
          return sum;
        },
      };
    },
  },
  {
    id: 'X1',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const weight = random.pick(priorities);
      return {
        expression: `Priority >= ${String(weight)}`,
        sql: `"Priority" >= ${String(weight)}`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.Priority >= weight) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) if ((jobs[at] as Job).Priority >= weight) sum += 1;
          return sum;
        },
      };
    },
  },
  {
    id: 'X2',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const [a, b] = [random.pick(statuses), random.pick(statuses)];
      return {
        expression: `Status in ["${a}", "${b}"]`,
        sql: `"Status" IN ('${a}', '${b}')`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.Status === a || job.Status === b) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) {
            const status = (jobs[at] as Job).Status;
            if (status === a || status === b) sum += 1;
          }
          return sum;
        },
      };
    },
  },
  {
    id: 'X3',
    kind: 'jobs',
    isColumn: false,
    draw(random) {
      const start = `${random.pick(families)}-${random.pick(subjects).slice(0, 1 + random.int(5))}`;
      return {
        expression: `ID starts with "${start}"`,
        sql: `PREFIX("ID", '${start}')`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.ID.startsWith(start)) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) if ((jobs[at] as Job).ID.startsWith(start)) sum += 1;
          return sum;
        },
      };
    },
  },
  {
    id: 'X4',
    kind: 'jobs',
    isColumn: false,
    draw(random) {
      const [start, end] = [random.pick(families), String(random.int(100))];
      return {
        expression: `Name like "${start}-*${end}"`,
        sql: `PREFIX("Name", '${start}-') AND SUFFIX("Name", '${end}')`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (
              job.Name.startsWith(start) &&
              job.Name.startsWith('-', start.length) &&
              job.Name.endsWith(end)
            )
              found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) {
            const name = (jobs[at] as Job).Name;
            if (name.startsWith(start) && name.startsWith('-', start.length) && name.endsWith(end)) sum += 1;
          }
          return sum;
        },
      };
    },
  },
  {
    id: 'X5',
    kind: 'jobs',
    isColumn: true,
    draw(random) {
      const time = 1_645_230_445_788 + random.int(100_000) * 1009;
      return {
        expression: `SubmitTime > ${String(time)}`,
        sql: `"SubmitTime" > ${String(time)}`,
        select(jobs: readonly Job[]) {
          const found: Job[] = [];
          for (let at = 0; at < jobs.length; at += 1) {
            const job = jobs[at] as Job;
            if (job.SubmitTime > time) found.push(job);
          }
          return found;
        },
        count(jobs: readonly Job[]) {
          let sum = 0;
          for (let at = 0; at < jobs.length; at += 1) if ((jobs[at] as Job).SubmitTime > time) sum += 1;
          return sum;
        },
      };
    },
  },
];

/** The columns in the conditions in SQL, with the types of a database. */
export const sqlColumns: Readonly<Record<RowKind, Readonly<Record<string, string>>>> = {
  jobs: {
    ...{ ID: 'VARCHAR', Name: 'VARCHAR', Namespace: 'VARCHAR', Region: 'VARCHAR', Type: 'VARCHAR' },
    ...{ Priority: 'BIGINT', Status: 'VARCHAR', Datacenters: 'VARCHAR[]', Meta: 'MAP(VARCHAR, VARCHAR)' },
    ...{ TaskGroups: 'STRUCT("Name" VARCHAR)[]', SubmitTime: 'BIGINT' },
  },
  nodes: {
    ...{ NodeResources: 'STRUCT("Cpu" STRUCT("Arch" VARCHAR))', Attributes: 'MAP(VARCHAR, VARCHAR)' },
  },
};

function isEmpty(map: Readonly<Record<string, string>>): boolean {
  for (const _ in map) return false;
  return true;
}

/** The key of a row, by its index at creation: loops by hand and the table read rows in one order of memory. */
export function keyOfRow(row: Job | Node): string {
  return String(row.CreateIndex).padStart(12, '0');
}

/** A row that is another one, for writes. */
export function touched(job: Job, status: number): Job {
  return { ...job, Status: statuses[status % statuses.length] as string };
}

/** Clauses of which none is common with another: there is no such row. */
export function emptyExpression(random: Random): string {
  return `Status == "${random.pick(statuses)}" and Type == "none${String(random.int(1e9))}"`;
}

/** Two clauses that columns evaluate, and no row matches both. */
export function disjointExpression(random: Random): string {
  const [a, b] = [random.int(5), 5 + random.int(5)].map((at) => priorities[at]);
  return `Priority == ${String(a)} and Status == "${random.pick(statuses)}" and Priority == ${String(b)}`;
}

export const commonExpression = 'Status == "running"';

/** A filter that was never evaluated, and the loop by hand. */
export function newQuery(random: Random): Pick<BenchRequest, 'expression' | 'count'> {
  const space = `none${String(random.int(1e9))}`;
  return {
    expression: `Status == "running" and Type == "batch" and Namespace != "${space}"`,
    count(jobs: readonly Job[]) {
      let sum = 0;
      for (let at = 0; at < jobs.length; at += 1) {
        const job = jobs[at] as Job;
        if (job.Status === 'running' && job.Type === 'batch' && job.Namespace !== space) sum += 1;
      }
      return sum;
    },
  };
}
