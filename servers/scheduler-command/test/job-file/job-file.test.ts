import { ConfigError } from '@tamis/config';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJobFile } from '@tamis/scheduler-command/job-file/read-job-file.js';
import { submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import { isSameSpec } from '@tamis/scheduler-model/same-spec.js';
import { unknownKeyWarnings } from '@tamis/scheduler-model/unknown-keys.js';
import { complete, type Body } from '../../../scheduler-model/test/jobs.js';
import { validJob } from '../../../scheduler-model/test/valid-job.js';
import { printHcl } from './print-hcl.js';

function mistakesIn(text: string): string {
  try {
    readJobFile(text, 'a.hcl');
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('It was read without a mistake');
}

/** HCL has no null, and says of a list of blocks that is empty nothing at all. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const isSaid = (key: string, inner: unknown): boolean =>
    inner !== null && !(Array.isArray(inner) && inner.length === 0 && /^[A-Z]/.test(key));
  const entries = Object.entries(value).filter(([key, inner]) => isSaid(key, inner));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

describe('a job in HCL', () => {
  it('is the job that its JSON is', () => {
    fc.assert(
      fc.property(validJob, (generated) => {
        const body = withoutNulls(JSON.parse(JSON.stringify(generated))) as Body;
        fc.pre(!/\$\$|%\{|\$\{(?!(?:attr|meta|node)\.)/.test(JSON.stringify(body)));
        const read = readJobFile(printHcl(body), 'a.hcl');
        expect(unknownKeyWarnings(submittedJobShape, read)).toEqual([]);
        const [fromHcl, fromJson] = [complete(read), complete(readJobFile(JSON.stringify(body), 'a.json'))];
        if (!isSameSpec(fromHcl, fromJson)) expect(fromHcl).toEqual(fromJson);
        expect(fromHcl.ID).toBe(body['ID']);
      }),
    );
  });

  it.each<[what: string, hcl: string, job: object]>([
    ['a name of its own', 'job "a" { name = "b" }', { ID: 'a', Name: 'b' }],
    ['durations', 'job "a" { update { stagger = "1m30s" } }', { Update: { Stagger: 90_000_000_000 } }],
    [
      'conditions with their operator as a key',
      'job "a" { constraint { distinct_hosts = true } constraint { attribute = "${attr.v}" version = ">= 1.2" } affinity { attribute = "x" regexp = "^a" weight = 5 } }',
      {
        Constraints: [
          { Operand: 'distinct_hosts', RTarget: 'true' },
          { LTarget: '${attr.v}', Operand: 'version', RTarget: '>= 1.2' },
        ],
        Affinities: [{ LTarget: 'x', Operand: 'regexp', RTarget: '^a', Weight: 5 }],
      },
    ],
    [
      'conditions that say no operator',
      'job "a" { constraint { attribute = "${attr.x}" value = "y" } }',
      { Constraints: [{ LTarget: '${attr.x}', RTarget: 'y', Operand: '=' }] },
    ],
    [
      'a distinct property',
      'job "a" { constraint { distinct_property = "${node.datacenter}" value = 3 } }',
      { Constraints: [{ LTarget: '${node.datacenter}', Operand: 'distinct_property', RTarget: '3' }] },
    ],
    [
      'ports',
      'job "a" { group "g" { network { mode = "host" port "x" { static = 80 } port "y" { to = 8080 } port "z" {} } } }',
      {
        TaskGroups: [
          {
            Name: 'g',
            Networks: [
              {
                Mode: 'host',
                ReservedPorts: [{ Label: 'x', Value: 80 }],
                DynamicPorts: [{ Label: 'y', To: 8080 }, { Label: 'z' }],
              },
            ],
          },
        ],
      },
    ],
    [
      'what is text for the scheduler',
      'job "a" { group "g" { task "t" { env { A = "${node.datacenter} ${NOMAD_PORT_http} ${HOME} ${env["X"]}" } } } }',
      {
        TaskGroups: [
          { Tasks: [{ Env: { A: '${node.datacenter} ${NOMAD_PORT_http} ${HOME} ${env["X"]}' } }] },
        ],
      },
    ],
    [
      'a heredoc, and whatever a driver takes',
      'job "a" { group "g" { task "t" { config { args = ["-c", <<-E\n  echo\n  E\n] n = 9007199254740993 o { p = true } } } } }',
      {
        TaskGroups: [
          { Tasks: [{ Config: { args: ['-c', 'echo\n'], n: 9007199254740993n, o: [{ p: true }] } }] },
        ],
      },
    ],
    [
      'numbers, which are decimal, as text in their shortest form',
      'job "a" { group "g" { count = 010 task "t" { env { A = 1.50 B = 1e3 C = "${1.50}" } } } }',
      { TaskGroups: [{ Count: 10, Tasks: [{ Env: { A: '1.5', B: '1000', C: '1.5' } }] }] },
    ],
    [
      'references without quotes and escapes',
      'job "a" { meta { a = attr.cpu.arch\n b = "$${HOME:-x}" c = "${~ node.class ~}" d = <<E\n$${x}\nE\n} }',
      { Meta: { a: '${attr.cpu.arch}', b: '${HOME:-x}', c: '${node.class}', d: '${x}\n' } },
    ],
    [
      'interpolated literals as values of the type of the field',
      'job "a" { all_at_once = "${true}" group "g" { count = "${5}" task "t" { config { n = "${5}" } } } }',
      { AllAtOnce: true, TaskGroups: [{ Count: 5, Tasks: [{ Config: { n: 5 } }] }] },
    ],
    [
      'objects in a block of a driver as lists of one',
      'job "a" { group "g" { task "t" { config { port_map = { http = 80 } m = [{ a = { b = 1 } }] } } } }',
      { TaskGroups: [{ Tasks: [{ Config: { port_map: [{ http: 80 }], m: [{ a: { b: 1 } }] } }] }] },
    ],
    [
      'identities of a task',
      'job "a" { group "g" { task "t" { identity { name = "x" } identity { name = "y" } } } }',
      { TaskGroups: [{ Tasks: [{ Identities: [{ Name: 'x' }, { Name: 'y' }] }] }] },
    ],
    [
      'several tables of times',
      'job "a" { periodic { crons = ["@daily", "@hourly"] enabled = false } }',
      { Periodic: { Specs: ['@daily', '@hourly'], Enabled: false } },
    ],
    [
      'values of the types of their fields, in blocks that nothing here reads',
      'job "a" { group "g" { service { port = 80 enable_tag_override = "true" weights { passing = "3" } check { tls_skip_verify = "true" failures_before_critical = "2" header { X = [1] } } } } }',
      {
        TaskGroups: [
          {
            Services: [
              {
                ...{ PortLabel: '80', EnableTagOverride: true, Weights: { Passing: 3 } },
                Checks: [{ TLSSkipVerify: true, FailuresBeforeCritical: 2, Header: { X: ['1'] } }],
              },
            ],
          },
        ],
      },
    ],
    [
      'services and the durations of their checks',
      'job "a" { group "g" { service { name = "s" port = "http" check { type = "http" interval = "10s" timeout = "2s" } } } }',
      {
        TaskGroups: [
          {
            Services: [
              {
                Name: 's',
                PortLabel: 'http',
                Checks: [{ Interval: 10_000_000_000, Timeout: 2_000_000_000 }],
              },
            ],
          },
        ],
      },
    ],
    [
      'blocks of a driver that come again, and labels',
      'job "a" { group "g" { task "t" { config { m { x = 1 } m { x = 2 } l "k" { y = 3 } } } } }',
      { TaskGroups: [{ Tasks: [{ Config: { m: [{ x: 1 }, { x: 2 }], l: [{ k: [{ y: 3 }] }] } }] }] },
    ],
    [
      'upstreams of a sidecar',
      'job "a" { group "g" { service { name = "s" port = 9 connect { sidecar_service { proxy { upstreams { destination_name = "x" local_bind_port = 1 } upstreams { destination_name = "y" } expose { path { path = "/" } } } } } } } }',
      {
        TaskGroups: [
          {
            Services: [
              {
                PortLabel: '9',
                Connect: {
                  SidecarService: {
                    Proxy: {
                      Upstreams: [{ DestinationName: 'x', LocalBindPort: 1 }, { DestinationName: 'y' }],
                      Expose: { Paths: [{ Path: '/' }] },
                    },
                  },
                },
              },
            ],
          },
        ],
      },
    ],
    [
      'listeners of a gateway',
      'job "a" { group "g" { service { name = "s" connect { gateway { proxy { connect_timeout = "5s" } ingress { listener { port = 1 service { name = "x" hosts = ["h"] } } } } } } } }',
      {
        TaskGroups: [
          {
            Services: [
              {
                Connect: {
                  Gateway: {
                    Proxy: { ConnectTimeout: 5_000_000_000 },
                    Ingress: { Listeners: [{ Port: 1, Services: [{ Name: 'x', Hosts: ['h'] }] }] },
                  },
                },
              },
            ],
          },
        ],
      },
    ],
    [
      'tasks in the job, each a group of its own, before its groups',
      'job "a" { task "t" { driver = "x" } group "g" {} task "u" {} }',
      { TaskGroups: [{ Name: 't', Tasks: [{ Name: 't', Driver: 'x' }] }, { Name: 'u' }, { Name: 'g' }] },
    ],
    [
      'what looks like a word of HCL 2 and is a name',
      'job "dynamic" { group "variable" { meta { locals = "x" } } }',
      { ID: 'dynamic', TaskGroups: [{ Name: 'variable', Meta: { locals: 'x' } }] },
    ],
  ])('reads %s', (_what, hcl, job) => expect(readJobFile(hcl, 'a.hcl')).toMatchObject(job));

  it.each<[what: string, hcl: string, mistake: string]>([
    [
      'a slip in a name',
      'job "a" {\n  prioritty = 5\n}',
      'a.hcl:2:3: job "a".prioritty: there is no such setting: did you mean priority?',
    ],
    [
      'a slip in a block',
      'job "a" {\n  grup "g" {}\n}',
      'a.hcl:2:3: job "a".grup: there is no such setting: did you mean group?',
    ],
    ['a group without its name', 'job "a" { group { count = 1 } }', 'a block (is the label missing?)'],
    ['two groups of one name', 'job "a" { group "g" {} group "g" {} }', 'is already there on line 1'],
    ['two jobs', 'job "a" {}\njob "b" {}', 'a.hcl:2:9: job "b": one job a file'],
    ['no job', 'group "g" {}', 'job: is missing'],
    ['a job without its ID', 'job { }', 'a.hcl:1:5: job: its ID is missing: write it as in job "web" {'],
    [
      'text for a number',
      'job "a" { priority = "x" }',
      'job "a".priority: expected a whole number, found "x"',
    ],
    [
      'a duration without its unit',
      'job "a" { update { stagger = 30 } }',
      'expected a duration such as "1m30s", found 30',
    ],
    [
      'what the cluster decides',
      'job "a" { status = "running" }',
      'job "a".status: there is no such setting',
    ],
    [
      'a key twice',
      'job "a" { group "g" { task "t" { config { a = 1 a = 2 } } } }',
      'config.a: is already set on line 1',
    ],
    [
      'two operators',
      'job "a" { constraint { version = "1" regexp = "x" } }',
      'regexp and version exclude each other',
    ],
    [
      'templates',
      'job "a" { group "g" { task "t" { template { data = "x" } } } }',
      'template: templates are not rendered',
    ],
    ['volumes', 'job "a" { group "g" { volume "v" { type = "host" } } }', 'volume: volumes are not mounted'],
    ['a variable block', 'variable "x" {}\njob "a" {}', 'a.hcl:1:1: variable: variables are of HCL 2'],
    ['locals', 'locals { x = 1 }\njob "a" {}', 'locals are of HCL 2'],
    [
      'a dynamic block',
      'job "a" {\n dynamic "group" { content {} } }',
      'a.hcl:2:2: job.a.dynamic: dynamic blocks are of HCL 2',
    ],
    ['a variable', 'job "a" {\n  priority = var.p\n}', 'a.hcl:2:14: a variable is of HCL 2'],
    ['a function', 'job "a" { name = upper("x") }', 'a.hcl:1:18: a function is of HCL 2'],
    ['a for expression', 'job "a" { datacenters = [for d in x : d] }', 'a for expression is of HCL 2'],
    ['a sum', 'job "a" { priority = 1 + 2 }', 'an expression is of HCL 2'],
    ['a choice', 'job "a" { priority = true ? 1 : 2 }', 'a conditional is of HCL 2'],
    ['a variable in a text', 'job "a" { name = "x${var.p}" }', '"${var.p}": a variable is of HCL 2'],
    ['a function in a text', 'job "a" { name = "${upper(x)}" }', 'a function is of HCL 2'],
    [
      'a directive in a text',
      'job "a" { name = "%{ if x }a%{ endif }" }',
      'a directive belongs to a template: render',
    ],
    ['a hexadecimal number', 'job "a" { priority = 0x3c }', 'a.hcl:1:22: this is no number'],
    ['a choice in a text', 'job "a" { name = "${x ? 1 : 2}" }', '"${x ? 1 : 2}": a conditional is of HCL 2'],
    [
      'a choice that is the default of a variable',
      'variable "v" { default = "${x ? 1 : 2}" }\njob "a" { name = var.v }',
      'a.hcl:2:18: a variable is of HCL 2, which job files do not have: write the value itself',
    ],
    ['a sum in a text', 'job "a" { name = "${1 + 2}" }', 'or $${ for a ${ that is text'],
    [
      'a template',
      'job "a" { priority = [[ .p ]] }',
      '"[[ .p ]]" belongs to a template: render the file first',
    ],
    ['a template with a call', 'job "a" { priority = [[ var "p" . ]] }', 'belongs to a template'],
    ['a template in braces', 'job "a" { priority = {{ .p }} }', '"{{ .p }}" belongs to a template'],
    [
      'a template before the job',
      '[[ if .x ]]\njob "a" {}',
      'a.hcl:1:1: "[[ if .x ]]" belongs to a template',
    ],
    ['what has no end', 'job "a" {', 'a closing } is missing'],
    ['a comment that has no end', 'job "a" { /* x', 'a.hcl:1:11: this comment has no closing */'],
    ['a heredoc that has no end', 'job "a" { name = <<EOF\nx', 'a.hcl:1:18: this heredoc has no line EOF'],
  ])('refuses %s, with its place', (_what, hcl, mistake) => expect(mistakesIn(hcl)).toContain(mistake));

  it('keeps the text of a command that looks like a format', () => {
    const hcl = 'job "a" { group "g" { task "t" { config { args = ["-w", "%{http_code}"] } } } }';
    expect(readJobFile(hcl, 'a.hcl')).toMatchObject({
      TaskGroups: [{ Tasks: [{ Config: { args: ['-w', '%{http_code}'] } }] }],
    });
  });
});

describe('a job in JSON', () => {
  it.each([
    '{"ID":"a"}',
    '{"Job":{"ID":"a"}}',
    ' {"job": {"ID": "a"}, "EnforceIndex": true}',
    '\uFEFF{"ID":"a"}',
  ])('is read alone and as the API has it: %s', (text) =>
    expect(readJobFile(text, 'a.json')).toEqual({ ID: 'a' }),
  );

  it.each([
    ['{"ID":', 'a.hcl:1:7: expected a value'],
    ['{"Job":5}', 'a.hcl:1:1: Job: expected an object'],
    ['{"ID":"a",}', 'a.hcl:1:11:'],
  ])('refuses %s with its place', (text, mistake) => expect(mistakesIn(text)).toContain(mistake));
});
