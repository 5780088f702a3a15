import { describe, expect, it } from 'vitest';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';
import { clip } from '@tamis/scheduler-model/quote.js';
import { jobWith, mistakesOf, second, task, type Body, type Place } from './jobs.js';

/** The text of a finding, in the frames of the parts in which it was made. */
function framed(finding: string, ...frames: string[]): string[] {
  const text = frames.reduceRight(
    (inner, frame) => `${frame} validation failed: ${listErrors([inner])}`,
    finding,
  );
  return [text.replace(/\n+$/, '')];
}

const inGroup = (finding: string, ...frames: string[]): string[] =>
  framed(finding, 'Task group g', ...frames);
const inTask = (finding: string, ...frames: string[]): string[] => inGroup(finding, 'Task t', ...frames);

/** The three places of conditions, and the frames of each. */
const places: readonly (readonly [name: keyof Place, frames: readonly string[]])[] = [
  ['job', []],
  ['group', ['Task group g']],
  ['task', ['Task group g', 'Task t']],
];

const target = '${attr.kernel.name}';

describe('constraints', () => {
  const wrong: readonly (readonly [constraint: Body, finding: string])[] = [
    [{ LTarget: target, RTarget: 'y' }, 'Missing constraint operand'],
    [{ LTarget: target, RTarget: 'y', Operand: '~~' }, 'Unknown constraint type "~~"'],
    [{ LTarget: target, RTarget: 'y', Operand: 'Version' }, 'Unknown constraint type "Version"'],
    [{ LTarget: target, RTarget: '${attr.x}', Operand: 'like' }, 'Unknown constraint type "like"'],
    [{ RTarget: 'y', Operand: '=' }, 'No LTarget provided but is required by constraint'],
    [{ Operand: 'is_set' }, 'No LTarget provided but is required by constraint'],
    [{ LTarget: target, Operand: '!=' }, 'Operator "!=" requires an RTarget'],
    [{ LTarget: target, Operand: '>=' }, 'Operator ">=" requires an RTarget'],
    [{ LTarget: target, RTarget: 'x', Operand: 'is_set' }, 'Operator "is_set" does not support an RTarget'],
    [
      { LTarget: target, RTarget: 'x', Operand: 'is_not_set' },
      'Operator "is_not_set" does not support an RTarget',
    ],
    [{ LTarget: target, Operand: 'set_contains' }, 'Set contains constraint requires an RTarget'],
    [{ LTarget: target, Operand: 'set_contains_any' }, 'Set contains constraint requires an RTarget'],
    [
      { LTarget: target, RTarget: '(', Operand: 'regexp' },
      'Regular expression failed to compile: error parsing regexp: missing closing ): `(`',
    ],
    [
      { LTarget: target, RTarget: 'a**', Operand: 'regexp' },
      'Regular expression failed to compile: error parsing regexp: invalid nested repetition operator: `**`',
    ],
    [
      { LTarget: target, RTarget: '(?=a)', Operand: 'regexp' },
      'Regular expression failed to compile: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
    [
      { LTarget: target, RTarget: 'a'.repeat(1_001), Operand: 'regexp' },
      'Regular expression failed to compile: the pattern is longer than 1000 characters',
    ],
    [
      { LTarget: target, RTarget: 'abc', Operand: 'version' },
      'Version constraint is invalid: Malformed constraint: abc',
    ],
    [{ LTarget: target, Operand: 'version' }, 'Version constraint is invalid: Malformed constraint: '],
    [
      { LTarget: target, RTarget: '>= 1.0, nope', Operand: 'version' },
      'Version constraint is invalid: Malformed constraint: >= 1.0, nope',
    ],
    [
      { LTarget: target, RTarget: '~> 1.0', Operand: 'semver' },
      'Semver constraint is invalid: Malformed constraint: ~> 1.0',
    ],
    [{ LTarget: 'a\0', RTarget: 'y', Operand: '=' }, 'Constraint contains a null character'],
  ];
  it.each(places.flatMap(([place, frames]) => wrong.map((one) => [place, ...one, frames] as const)))(
    'on the %s: %j',
    (place, constraint, finding, frames) => {
      const right = { LTarget: target, RTarget: 'linux', Operand: '=' };
      const body = jobWith({ [place]: { Constraints: [right, constraint] } });
      expect(mistakesOf(body)).toEqual(framed(finding, ...frames, 'Constraint 2'));
    },
  );

  it.each<[constraint: Body, finding: string]>([
    [
      { Operand: 'distinct_hosts', RTarget: 'maybe' },
      'distinct_hosts takes the RTarget true or false, not "maybe"',
    ],
    [{ Operand: 'distinct_property' }, 'No LTarget provided but is required by constraint'],
    [
      { LTarget: target, Operand: 'distinct_property', RTarget: '-1' },
      'Failed to convert RTarget "-1" to uint64: invalid syntax',
    ],
    [
      { LTarget: target, Operand: 'distinct_property', RTarget: '0' },
      'Distinct Property must have an allowed count of 1 or greater: 0 < 1',
    ],
  ])('that keep allocations apart: %j', (constraint, finding) => {
    expect(mistakesOf(jobWith({ job: { Constraints: [constraint] } }))).toEqual(
      framed(finding, 'Constraint 1'),
    );
    expect(mistakesOf(jobWith({ group: { Constraints: [constraint] } }))).toEqual(
      inGroup(finding, 'Constraint 1'),
    );
  });

  it.each(['distinct_hosts', 'distinct_property'])('%s is not for tasks', (Operand) => {
    expect(mistakesOf(jobWith({ task: { Constraints: [{ LTarget: target, Operand }] } }))).toEqual(
      inTask(`Constraint 1 has disallowed Operand at task level: ${Operand}`),
    );
  });

  it('are bounded, and so are their patterns', () => {
    const constraint = { LTarget: target, RTarget: 'y', Operand: '=' };
    expect(mistakesOf(jobWith({ job: { Constraints: Array(5_001).fill(constraint) } }))).toEqual([
      'Job has 5001 constraints, affinities and spread targets, more than 5000',
    ]);
    const patterns = Array.from({ length: 101 }, (_, at) => ({
      ...constraint,
      Operand: 'regexp',
      RTarget: `${at}`,
    }));
    expect(mistakesOf(jobWith({ task: { Constraints: patterns } }))).toEqual([
      'Job has 101 different patterns in its constraints, more than 100',
    ]);
    const same = Array(1_000).fill({ ...constraint, Operand: 'regexp' }) as Body[];
    expect(mistakesOf(jobWith({ task: { Constraints: same } }))).toEqual([]);
  });
});

describe('affinities', () => {
  const right = { LTarget: target, RTarget: 'y', Operand: '=', Weight: 50 };
  const wrong: readonly (readonly [change: Body, finding: string])[] = [
    [{ Weight: 0 }, 'Affinity weight cannot be zero'],
    [{ Weight: 101 }, 'Affinity weight must be within the range [-100,100]'],
    [{ Weight: -101 }, 'Affinity weight must be within the range [-100,100]'],
    [{ Operand: null }, 'Missing affinity operand'],
    [{ Operand: '=~' }, 'Unknown affinity operator "=~"'],
    [{ Operand: 'distinct_hosts' }, 'Unknown affinity operator "distinct_hosts"'],
    [{ LTarget: '' }, 'No LTarget provided but is required'],
    [{ RTarget: '' }, 'Operator "=" requires an RTarget'],
    [{ Operand: 'set_contains_all', RTarget: '' }, 'Set contains operators require an RTarget'],
    [
      { Operand: 'regexp', RTarget: '[' },
      'Regular expression failed to compile: error parsing regexp: missing closing ]: `[`',
    ],
    [{ Operand: 'version', RTarget: 'x' }, 'Version affinity is invalid: Malformed constraint: x'],
    [{ Operand: 'semver', RTarget: 'x' }, 'Semver affinity is invalid: Malformed constraint: x'],
  ];
  it.each(places.flatMap(([place, frames]) => wrong.map((one) => [place, ...one, frames] as const)))(
    'on the %s: %j',
    (place, change, finding, frames) => {
      const body = jobWith({ [place]: { Affinities: [{ ...right, ...change }] } });
      expect(mistakesOf(body)).toEqual(framed(finding, ...frames, 'Affinity 1'));
    },
  );

  it.each(places)('of a system job on the %s', (place, frames) => {
    const of = { job: {}, group: {}, task: {}, [place]: { Affinities: [right] } };
    const body = jobWith({ ...of, job: { ...of.job, Type: 'system' } });
    expect(mistakesOf(body)).toEqual(framed('System jobs may not have an affinity block', ...frames));
  });
});

describe('spreads', () => {
  const wrong: readonly (readonly [spread: Body, finding: string])[] = [
    [{ Weight: 50 }, 'Missing spread attribute'],
    [{ Attribute: target, Weight: 0 }, 'Spread block must have a positive weight from 0 to 100'],
    [{ Attribute: target, Weight: -1 }, 'Spread block must have a positive weight from 0 to 100'],
    [{ Attribute: target, Weight: 101 }, 'Spread block must have a positive weight from 0 to 100'],
    [
      {
        Attribute: target,
        Weight: 1,
        SpreadTarget: [
          { Value: 'a', Percent: 60 },
          { Value: 'b', Percent: 60 },
        ],
      },
      'Sum of spread target percentages must not be greater than 100%; got 120%',
    ],
    [
      { Attribute: target, Weight: 1, SpreadTarget: [{ Value: 'a' }, { Value: 'a' }] },
      'Spread target value "a" already defined',
    ],
  ];
  it.each(
    places.slice(0, 2).flatMap(([place, frames]) => wrong.map((one) => [place, ...one, frames] as const)),
  )('on the %s: %j', (place, spread, finding, frames) => {
    const body = jobWith({ [place]: { Spreads: [spread] } });
    expect(mistakesOf(body)).toEqual(framed(finding, ...frames, 'Spread 1'));
  });

  it('report a percentage above 100 next to the sum', () => {
    const spread = { Attribute: target, Weight: 1, SpreadTarget: [{ Value: 'a', Percent: 101 }] };
    expect(mistakesOf(jobWith({ job: { Spreads: [spread] } }))[0]).toContain(
      'Spread target percentage for value "a" must be between 0 and 100',
    );
  });

  it('are not for system jobs', () => {
    const Spreads = [{ Attribute: target, Weight: 1 }];
    expect(mistakesOf(jobWith({ job: { Type: 'system', Spreads } }))).toEqual([
      'System jobs may not have a spread block',
    ]);
  });
});

describe('updates', () => {
  const wrong: readonly (readonly [update: Body, finding: string])[] = [
    [{ HealthCheck: 'foo' }, 'Invalid health check given: "foo"'],
    [{ MaxParallel: -3 }, 'Max parallel can not be less than zero: -3 < 0'],
    [{ Canary: -1 }, 'Canary count can not be less than zero: -1 < 0'],
    [{ AutoPromote: true }, 'Auto Promote requires a Canary count greater than zero'],
    [{ AutoPromote: true, Canary: 0 }, 'Auto Promote requires a Canary count greater than zero'],
    [{ MinHealthyTime: -second }, 'Minimum healthy time may not be less than zero: -1s'],
    [{ ProgressDeadline: -1 }, 'Progress deadline must be zero or greater: -1ns'],
    [
      { MinHealthyTime: 300 * second },
      'Minimum healthy time must be less than healthy deadline: 5m0s > 5m0s',
    ],
    [{ ProgressDeadline: 90 * second }, 'Healthy deadline must be less than progress deadline: 5m0s > 1m30s'],
    [
      { HealthyDeadline: 3_600 * second },
      'Healthy deadline must be less than progress deadline: 1h0m0s > 10m0s',
    ],
    [{ Stagger: 0 }, 'Stagger must be greater than zero: 0s'],
    [{ Stagger: -1 }, 'Stagger must be greater than zero: -1ns'],
  ];
  it.each(wrong)('of the group, and of the job for all its groups: %j', (Update, finding) => {
    const [first] = mistakesOf(jobWith({ group: { Update } }));
    expect(first).toContain(`* ${finding}`);
    expect(first?.startsWith('Task group g validation failed: ')).toBe(true);
    expect(mistakesOf(jobWith({ job: { Update: { MaxParallel: 1, ...Update } } }))[0]).toContain(
      `* ${finding}`,
    );
    expect(mistakesOf(jobWith({ job: { Type: 'system' }, group: { Update } }))[0]).toContain(`* ${finding}`);
  });

  it('may do without a deadline', () => {
    expect(mistakesOf(jobWith({ group: { Update: { ProgressDeadline: 0 } } }))).toEqual([]);
  });

  it.each(['batch', 'sysbatch'])('are not for %s jobs', (Type) => {
    const finding = `Job type "${Type}" does not allow update block`;
    expect(mistakesOf(jobWith({ job: { Type }, group: { Update: { MaxParallel: 1 } } }))).toEqual(
      inGroup(finding),
    );
    expect(mistakesOf(jobWith({ job: { Type, Update: { MaxParallel: 1 } } }))).toEqual(inGroup(finding));
  });
});

describe('restarts', () => {
  const wrong: readonly (readonly [policy: Body, finding: string])[] = [
    [{ Mode: 'foo' }, 'Unsupported restart mode: "foo"'],
    [{ Mode: '' }, 'Unsupported restart mode: ""'],
    [{ Attempts: -1 }, 'Restart attempts can not be less than zero: -1 < 0'],
    [{ Delay: -1 }, 'Restart delay can not be less than zero: -1ns'],
    [{ Mode: 'delay', Attempts: 0 }, 'Restart policy "delay" with 0 attempts is ambiguous'],
    [{ Attempts: 0, Interval: second }, 'Interval can not be less than 5s (got 1s)'],
    [
      { Attempts: 10, Interval: 10 * second, Delay: 5 * second },
      "Scheduler can't restart the TaskGroup 10 times in an interval of 10s with a delay of 5s",
    ],
  ];
  it.each(wrong)('%j', (RestartPolicy, finding) => {
    expect(mistakesOf(jobWith({ group: { RestartPolicy } }))).toEqual(inGroup(finding));
    expect(mistakesOf(jobWith({ task: { RestartPolicy } }))).toEqual(inTask(finding));
    expect(mistakesOf(jobWith({ job: { Type: 'batch' }, task: { RestartPolicy } }))).toEqual(inTask(finding));
  });
});

describe('rescheduling', () => {
  const limited = { Unlimited: false, Attempts: 3, Interval: 3_600 * second };
  const wrong: readonly (readonly [policy: Body, finding: string])[] = [
    [
      { DelayFunction: 'foo' },
      'Invalid delay function "foo", must be one of ["constant" "exponential" "fibonacci"]',
    ],
    [
      { Unlimited: false, DelayFunction: 'linear' },
      'Invalid delay function "linear", must be one of ["constant" "exponential" "fibonacci"]',
    ],
    [{ Attempts: -1 }, 'Reschedule attempts can not be less than zero: -1 < 0'],
    [{ Delay: second }, 'Delay cannot be less than 5s (got 1s)'],
    [{ Delay: 30 * second, MaxDelay: 10 * second }, 'Max Delay cannot be less than Delay 30s (got 10s)'],
    [{ ...limited, Interval: 10 * second }, 'Interval cannot be less than 15s (got 10s)'],
    [
      { Attempts: 3, Interval: 3_600 * second },
      'Reschedule Policy with Attempts = 3, Interval = 1h0m0s, and Unlimited = true is ambiguous',
    ],
  ];
  it.each(wrong)('%j', (ReschedulePolicy, finding) => {
    expect(mistakesOf(jobWith({ group: { ReschedulePolicy } }))).toEqual(inGroup(finding));
    expect(mistakesOf(jobWith({ job: { Reschedule: ReschedulePolicy } }))).toEqual(inGroup(finding));
  });

  it.each<[delayFunction: string, attempts: number, interval: number]>([
    ['constant', 1, 30],
    ['exponential', 3, 80],
    ['fibonacci', 4, 90],
  ])('%s has to fit its interval', (DelayFunction, possible, seconds) => {
    const policy = { ...limited, Attempts: 5, DelayFunction, Delay: 20 * second, MaxDelay: 200 * second };
    const [finding] = mistakesOf(
      jobWith({ group: { ReschedulePolicy: { ...policy, Interval: seconds * second } } }),
    );
    expect(finding).toContain(`Scheduler can only make ${possible} attempts in `);
    expect(finding).toContain('Set the interval to at least ');
    const enough = { ...policy, Interval: 400 * second };
    expect(mistakesOf(jobWith({ group: { ReschedulePolicy: enough } }))).toEqual([]);
  });

  it.each(['system', 'sysbatch'])('is not for %s jobs', (Type) => {
    const ReschedulePolicy = {
      Attempts: 1,
      Interval: 60 * second,
      Delay: 5 * second,
      DelayFunction: 'constant',
    };
    expect(mistakesOf(jobWith({ job: { Type }, group: { ReschedulePolicy } }))).toEqual(
      inGroup('System or sysbatch jobs should not have a reschedule policy'),
    );
  });

  it('from draining nodes is for services', () => {
    expect(mistakesOf(jobWith({ job: { Type: 'batch' }, group: { Migrate: { MaxParallel: 1 } } }))).toEqual(
      inGroup('Job type "batch" does not allow migrate block'),
    );
    expect(mistakesOf(jobWith({ group: { Migrate: { MaxParallel: -1 } } }))).toEqual(
      inGroup('MaxParallel must be >= 0 but found -1'),
    );
    expect(mistakesOf(jobWith({ group: { Migrate: { HealthCheck: 'none' } } }))).toEqual(
      inGroup('Invalid HealthCheck: "none"'),
    );
  });
});

describe('ports', () => {
  const frame = 'Task group network';
  it.each<[networks: readonly Body[], finding: string]>([
    [
      [
        {
          ReservedPorts: [
            { Label: 'a', Value: 80 },
            { Label: 'b', Value: 80 },
          ],
        },
      ],
      'Static port 80 already reserved by Networks[0].ReservedPorts[0]:a',
    ],
    [
      [{ ReservedPorts: [{ Label: 'a', Value: 80 }] }, { ReservedPorts: [{ Label: 'b', Value: 80 }] }],
      'Static port 80 already reserved by Networks[0].ReservedPorts[0]:a',
    ],
    [
      [{ DynamicPorts: [{ Label: 'a' }] }, { DynamicPorts: [{ Label: 'a' }] }],
      'Port label "a" already in use by Networks[0].DynamicPorts[0]',
    ],
    [[{ ReservedPorts: [{ Label: 'a', Value: 70_000 }] }], 'Port a (70000) cannot be greater than 65535'],
    [[{ ReservedPorts: [{ Label: 'a', Value: 0 }] }], 'Port a (0) must be from 1 to 65535'],
    [[{ ReservedPorts: [{ Label: 'a' }] }], 'Port a (0) must be from 1 to 65535'],
    [[{ ReservedPorts: [{ Label: 'a', Value: -1 }] }], 'Port a (-1) must be from 1 to 65535'],
    [[{ DynamicPorts: [{ Label: 'a', Value: 65_536 }] }], 'Port a (65536) cannot be greater than 65535'],
    [[{ DynamicPorts: [{}] }], 'Networks[0].DynamicPorts[0]: Port label is missing'],
    [
      [{ DynamicPorts: [{ Label: 'a', To: 70_000 }] }],
      'Port "a" cannot be mapped to a port (70000) greater than 65535',
    ],
    [[{ DynamicPorts: [{ Label: 'a', To: -2 }] }], 'Port "a" cannot be mapped to negative value -2'],
    [
      [{ Mode: 'brige' }],
      'Networks[0].Mode: invalid network mode "brige", must be one of host, bridge, none, cni/NAME',
    ],
    [
      [{ DynamicPorts: Array.from({ length: 1_001 }, (_, at) => ({ Label: `p${at}` })) }],
      'Task group asks for 1001 ports, more than 1000',
    ],
  ])('%j', (Networks, finding) => {
    const Tasks = [{ ...task, Driver: 'docker', Config: {} }];
    expect(mistakesOf(jobWith({ group: { Networks, Tasks } }))).toEqual(inGroup(finding, frame));
  });

  it('of tasks are ports of the group', () => {
    const group = {
      Networks: [{ ReservedPorts: [{ Label: 'a', Value: 80 }] }],
      Tasks: [{ ...task, Resources: { Networks: [{ ReservedPorts: [{ Label: 'b', Value: 80 }] }] } }],
    };
    expect(mistakesOf(jobWith({ group }))).toEqual(
      inGroup('Static port 80 already reserved by Networks[0].ReservedPorts[0]:a', frame),
    );
  });
});

describe('resources', () => {
  it.each<[resources: Body, finding: string]>([
    [{ CPU: 0 }, 'minimum CPU value is 1; got 0'],
    [{ CPU: -5 }, 'minimum CPU value is 1; got -5'],
    [{ Cores: -1 }, 'minimum Cores value is 0; got -1'],
    [{ Cores: 2, CPU: 100 }, "Task can only ask for 'cpu' or 'cores' resource, not both."],
    [{ MemoryMB: 1 }, 'minimum MemoryMB value is 10; got 1'],
    [{ MemoryMB: -10 }, 'minimum MemoryMB value is 10; got -10'],
    [{ MemoryMB: 100, MemoryMaxMB: 50 }, 'MemoryMaxMB value (50) should be larger than MemoryMB value (100)'],
    [{ MemoryMaxMB: -1 }, 'MemoryMaxMB value (-1) should be larger than MemoryMB value (300)'],
    [{ DiskMB: -1 }, 'minimum DiskMB value is 0; got -1'],
  ])('%j', (Resources, finding) => {
    expect(mistakesOf(jobWith({ task: { Resources } }))).toEqual(inTask(finding));
    expect(mistakesOf(jobWith({ job: { Type: 'sysbatch' }, task: { Resources } }))).toEqual(inTask(finding));
  });

  it.each<[log: Body, disk: Body, finding: string]>([
    [{}, { SizeMB: 100 }, 'log storage (100 MB) must be less than requested disk capacity (100 MB)'],
    [{ MaxFiles: 31 }, {}, 'log storage (310 MB) must be less than requested disk capacity (300 MB)'],
    [{ MaxFiles: 0 }, {}, 'minimum number of files is 1; got 0'],
    [{ MaxFileSizeMB: -1 }, {}, 'minimum file size is 1MB; got -1'],
  ])('logs %j on a disk %j', (LogConfig, EphemeralDisk, finding) => {
    expect(mistakesOf(jobWith({ group: { EphemeralDisk }, task: { LogConfig } }))).toEqual(inTask(finding));
    const off = { ...LogConfig, Disabled: true };
    expect(mistakesOf(jobWith({ group: { EphemeralDisk }, task: { LogConfig: off } }))).toEqual([]);
  });

  it.each([-1, 0, 9])('a disk of %d MB', (SizeMB) => {
    const log = { LogConfig: { Disabled: true } };
    expect(mistakesOf(jobWith({ group: { EphemeralDisk: { SizeMB } }, task: log }))).toEqual(
      inGroup(`minimum DiskMB value is 10; got ${SizeMB}`),
    );
  });
});

describe('tasks', () => {
  it.each<[change: Body, finding: string]>([
    [{ KillTimeout: -1 }, 'KillTimeout must be a positive value (got -1ns)'],
    [{ ShutdownDelay: -second }, 'ShutdownDelay must be a positive value (got -1s)'],
    [{ KillSignal: 'SIGKILLX' }, 'Unknown KillSignal "SIGKILLX": did you mean SIGKILL?'],
    [{ KillSignal: 'sigterm' }, 'Unknown KillSignal "sigterm": did you mean SIGTERM?'],
    [{ KillSignal: '9' }, 'Unknown KillSignal "9"'],
    [{ User: 'a\0' }, 'User contains a null character'],
    [{ Env: { 'A=B': 'x' } }, 'Env: "A=B" is no name of a variable'],
    [{ Env: { '': 'x' } }, 'Env: "" is no name of a variable'],
    [{ Env: { A: 'x\0' } }, 'Env.A: value contains a null character'],
    [{ Meta: { a: 'x\0' } }, 'Meta["a"] contains a null character'],
    [{ Name: 'a'.repeat(201) }, 'Task name is longer than 200 characters, escaped as in a URL'],
    [{ Name: '..' }, 'Task name cannot be . or ..'],
    [{ Config: { command: 5 } }, 'Config.command: expected a text without null characters'],
    [{ Config: { command: 'a\0' } }, 'Config.command: expected a text without null characters'],
    [
      { Config: { command: 'a', args: 'b' } },
      'Config.args: expected a list of texts without null characters',
    ],
    [
      { Config: { command: 'a', args: ['b', 1] } },
      'Config.args: expected a list of texts without null characters',
    ],
    [
      { Config: { command: 'a', arg: ['b'] } },
      'Config.arg: the driver raw_exec has no such key: did you mean args?',
    ],
    [
      { Config: { command: 'a', image: 'b' } },
      'Config.image: the driver raw_exec has no such key: it knows command, args',
    ],
    [
      { Config: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, 1])) },
      'Config has 101 keys, the driver raw_exec knows 2',
    ],
    [
      { Driver: 'mock_driver', Config: { runfor: '1s' } },
      'Config.runfor: the driver mock_driver has no such key: did you mean run_for?',
    ],
    [
      { Driver: 'mock_driver', Config: { run_for: 'soon' } },
      'Config.run_for: expected a duration such as "10s"',
    ],
    [{ Driver: 'mock_driver', Config: { run_for: -1 } }, 'Config.run_for: expected a duration such as "10s"'],
    [{ Driver: 'mock_driver', Config: { exit_code: 1.5 } }, 'Config.exit_code: expected a whole number'],
    [
      { Driver: 'mock_driver', Config: { start_error_recoverable: 'yes' } },
      'Config.start_error_recoverable: expected true or false',
    ],
  ])('%j', (change, finding) => {
    const { Name = 't' } = change as { Name?: string };
    expect(mistakesOf(jobWith({ task: change }))).toEqual(inGroup(finding, `Task ${clip(Name)}`));
    // The task may also be next to another one, in a job of another kind.
    const withNeighbour = jobWith({
      job: { Type: 'batch' },
      group: { Tasks: [task, { ...task, Name: 'u', ...change }] },
    });
    expect(mistakesOf(withNeighbour).join()).toContain(`* ${finding}`);
  });

  it.each<[lifecycle: Body, finding: string]>([
    [{ Hook: 'foo' }, 'invalid hook: "foo"'],
    [{ Hook: 'poststat' }, 'invalid hook: "poststat": did you mean poststart?'],
    [{}, 'no lifecycle hook provided'],
    [{ Hook: 'poststop', Sidecar: true }, 'a poststop task cannot be a sidecar'],
  ])('in a phase: %j', (Lifecycle, finding) => {
    const group = {
      Tasks: [
        { ...task, Name: 'main' },
        { ...task, Lifecycle },
      ],
    };
    expect(mistakesOf(jobWith({ group }))).toEqual(inTask(finding, 'Lifecycle'));
  });

  it.each(['prestart', 'poststart', 'poststop'])('only in the phase %s', (Hook) => {
    expect(mistakesOf(jobWith({ task: { Lifecycle: { Hook } } }))).toEqual(
      inGroup('Task group has only tasks with a lifecycle hook, at least one must be a main task'),
    );
  });

  it.each(['', '../x', 'a/b', '..', 'a\0'])('with a payload in %j', (File) => {
    expect(mistakesOf(jobWith({ task: { DispatchPayload: { File } } }))[0]).toContain(
      'Dispatch Payload validation failed',
    );
  });
});

describe('groups', () => {
  const withCounts = (Type: string, ...groups: readonly Body[]): Body => ({
    ...jobWith({ job: { Type } }),
    TaskGroups: groups.map((group, at) => ({ Name: `g${at}`, Tasks: [task], ...group })),
  });

  it.each(['service', 'batch'])('with more allocations than a %s may have', (type) => {
    const billion = withCounts(type, { Count: 1 }, { Count: 1_000_000_000 });
    expect(mistakesOf(billion)).toEqual([
      'Job has 1000000001 allocations by the counts and canaries of its task groups, more than 100000: ' +
        'task group "g1" has 1000000000',
    ]);
    expect(mistakesOf(withCounts(type, { Count: 50_000 }, { Count: 50_001 }))[0]).toContain('has 100001 all');
    expect(mistakesOf(withCounts(type, { Count: 50_000 }, { Count: 50_000 }))).toEqual([]);
    // A group of less than none makes no room for others.
    expect(mistakesOf(withCounts(type, { Count: -9 }, { Count: 100_001 }))[0]).toContain('has 100001 all');
  });

  it('with as many by its canaries', () => {
    const Update = { Canary: 99_999 };
    expect(mistakesOf(withCounts('service', { Count: 1, Update }))).toEqual([]);
    expect(mistakesOf(withCounts('service', { Count: 2, Update }))[0]).toContain('has 100001 allocations');
  });

  it.each<[group: Body, finding: string]>([
    [{ Count: -1 }, "Task group count can't be negative"],
    [{ Meta: { 'a\0': 'x' } }, 'Meta["a\\u0000"] contains a null character'],
    [{ ShutdownDelay: -1 }, 'ShutdownDelay must be a positive value (got -1ns)'],
    [{ MaxRunDuration: -1 }, 'MaxRunDuration must be a positive value (got -1ns)'],
    [
      {
        Tasks: [
          { ...task, Leader: true },
          { ...task, Name: 'u', Leader: true },
        ],
      },
      'Only one task may be marked as leader',
    ],
    [{ Tasks: [task, task] }, "Task 2 redefines 't' from task 1"],
  ])('%j', (group, finding) => {
    expect(mistakesOf(jobWith({ group }))).toEqual(inGroup(finding));
  });

  it.each<[scaling: Body, count: number, finding: string]>([
    [{ Min: 5, Max: 2 }, 5, 'maximum count must not be less than minimum count'],
    [{ Min: 1, Max: 2 }, 9, 'task group count must not be greater than maximum count in scaling policy'],
    [{ Min: 2, Max: 4 }, 1, 'task group count must not be less than minimum count in scaling policy'],
    [{ Min: -1, Max: 4 }, 1, 'minimum count must be specified and non-negative'],
    [{ Min: 0, Max: -1 }, 1, 'maximum count must be specified and non-negative'],
  ])('scaled %j, %d of them', (Scaling, Count, finding) => {
    expect(mistakesOf(jobWith({ group: { Scaling, Count } }))[0]).toContain(
      `* Scaling policy invalid: ${finding}`,
    );
  });

  it.each(['system', 'sysbatch'])('refuses a %s job with a scaling policy', (Type) => {
    const body = jobWith({ job: { Type }, group: { Scaling: { Min: 1, Max: 4 } } });
    expect(mistakesOf(body)[0]).toContain(
      `Scaling policy invalid: must not be set for a job of type ${Type}`,
    );
  });

  it('names the upstreams that no sidecar connects', () => {
    const Upstreams = [{ DestinationName: 'db' }, { DestinationName: 'cache' }];
    const Services = [{ Name: 'a' }, { Name: 'b', Connect: { SidecarService: { Proxy: { Upstreams } } } }];
    expect(mistakesOf(jobWith({ group: { Services } }))).toEqual([
      'Job.TaskGroups[0].Services[1].Connect.SidecarService.Proxy.Upstreams: no sidecar is started, so tasks would not reach "db", "cache"',
    ]);
  });

  it.each<[services: readonly Body[], finding: string]>([
    [[{ Name: 'a b' }], 'Service name must be valid per RFC 1123'],
    [[{ Name: '-a' }], 'Service name must be valid per RFC 1123'],
    [[{ Name: 'a'.repeat(64) }], 'Service name must be valid per RFC 1123'],
    [[{ Name: '${'.repeat(500_000) }], 'Service name must be valid per RFC 1123'],
    [[{ Name: 'a', PortLabel: 'nope' }], 'Port label "nope" referenced by services "a" does not exist'],
    [[{ Name: 'a', TaskName: 'nope' }], 'Service refers to non-existent task "nope"'],
    [[{ Name: 'a' }, { Name: 'a' }], 'Service a is duplicate'],
  ])('with services %#', (Services, finding) => {
    expect(mistakesOf(jobWith({ group: { Services } }))[0]).toContain(`* ${finding}`);
    expect(mistakesOf(jobWith({ task: { Services } }))[0]).toContain(`* ${finding}`);
  });
});

describe('what starts a job', () => {
  it.each<[periodic: Body, finding: string]>([
    [{ Spec: 'nonsense' }, 'Invalid cron spec "nonsense": expected 5 to 7 fields, found 1'],
    [{ Spec: '0 0 30 2 *' }, 'Invalid cron spec "0 0 30 2 *": there is no such day in the next nine years'],
    [
      { Spec: '0 0 31 4,6,9,11 *' },
      'Invalid cron spec "0 0 31 4,6,9,11 *": there is no such day in the next nine years',
    ],
    [
      { Spec: '0 0 1 1 * 2020' },
      'Invalid cron spec "0 0 1 1 * 2020": there is no such day in the next nine years',
    ],
    [{ Spec: '@daily', TimeZone: 'Mars/X' }, 'Invalid cron spec "@daily": unknown time zone "Mars/X"'],
    [{ Spec: '@daily', SpecType: 'interval' }, 'Unknown periodic specification type "interval"'],
    [{}, 'Must specify a spec'],
  ])('a timetable %j', (Periodic, finding) => {
    expect(mistakesOf(jobWith({ job: { Type: 'batch', Periodic } }))).toEqual([finding]);
    expect(mistakesOf(jobWith({ job: { Type: 'sysbatch', Periodic } }))).toEqual([finding]);
    expect(
      mistakesOf(jobWith({ job: { Type: 'batch', Periodic: { ...Periodic, Enabled: false } } })),
    ).toEqual([]);
  });

  it.each<[rules: Body, finding: string]>([
    [{ Payload: 'foo' }, 'Unknown payload requirement: "foo"'],
    [
      { MetaRequired: ['a', 'b'], MetaOptional: ['c', 'b', 'b'] },
      'Required and optional meta keys should be disjoint. Following keys exist in both: [b]',
    ],
  ])('arguments %j', (ParameterizedJob, finding) => {
    expect(mistakesOf(jobWith({ job: { Type: 'batch', ParameterizedJob } }))).toEqual([finding]);
  });
});

describe('what is not there', () => {
  it.each<[change: Body, field: string]>([
    [{ Templates: [{ EmbeddedTmpl: 'x', DestPath: 'local/x' }] }, 'Templates'],
    [{ Artifacts: [{ GetterSource: 'https://example.com/x' }] }, 'Artifacts'],
    [{ Vault: { Policies: ['p'] } }, 'Vault'],
    [{ Secrets: [{ Name: 's' }] }, 'Secrets'],
    [{ VolumeMounts: [{ Volume: 'v' }] }, 'VolumeMounts'],
    [{ Kind: 'connect-proxy:web' }, 'Kind'],
    [{ CSIPluginConfig: { ID: 'p' } }, 'CSIPluginConfig'],
    [{ Schedule: { Cron: { Start: '0 9 * * *' } } }, 'Schedule'],
    [{ Resources: { Devices: [{ Name: 'gpu', Count: 1 }] } }, 'Resources.Devices'],
    [{ Resources: { NUMA: { Affinity: 'require' } } }, 'Resources.NUMA'],
    [{ Identity: { Env: true } }, 'Identity'],
    [{ Identities: [{ Name: 'a' }, { Name: 'b', File: true }] }, 'Identities'],
  ])('is refused with its path where a task would run wrongly: %j', (change, field) => {
    const group = { Tasks: [task, { ...task, Name: 'u', ...change }] };
    const mistakes = mistakesOf(jobWith({ job: { Type: 'batch' }, group }));
    expect(mistakes).toEqual([expect.stringMatching(`^Job.TaskGroups\\[0\\].Tasks\\[1\\].${field}: `)]);
  });

  it.each<[change: Body, field: string]>([
    [{ Volumes: { data: { Type: 'host', Source: 'data' } } }, 'Volumes'],
    [{ StopAfterClientDisconnect: second }, 'StopAfterClientDisconnect'],
    [{ PreventRescheduleOnLost: true }, 'PreventRescheduleOnLost'],
    [{ Disconnect: { StopOnClientAfter: second } }, 'Disconnect.StopOnClientAfter'],
    [{ Disconnect: { Replace: false } }, 'Disconnect.Replace'],
    [{ Networks: [{ Mode: 'bridge' }] }, 'Networks\\[0\\].Mode'],
    [{ Networks: [{ DynamicPorts: [{ Label: 'a', HostNetwork: 'public' }] }] }, 'Networks\\[0\\]'],
  ])('is refused where a group would run wrongly: %j', (group, field) => {
    expect(mistakesOf(jobWith({ group }))).toEqual([
      expect.stringMatching(`^Job.TaskGroups\\[0\\].${field}: `),
    ]);
  });
});

describe('the response', () => {
  it('names a hundred of many findings, and says how many there are', () => {
    const Tasks = Array.from({ length: 300 }, (_, at) => ({ ...task, Name: `t${at}`, KillTimeout: -1 }));
    const [text = ''] = mistakesOf(jobWith({ group: { Tasks } }));
    expect(text).toContain('300 errors occurred:');
    expect(text).toContain('\t* and 200 more');
    expect(text.match(/KillTimeout/g)).toHaveLength(100);
  });
});
