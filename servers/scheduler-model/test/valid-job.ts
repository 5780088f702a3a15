import fc from 'fast-check';
import { second, type Body } from './jobs.js';

/** Jobs of all kinds that are right, with as much in them as may be. */
export const validJob: fc.Arbitrary<Body> = fc
  .constantFrom('service', 'batch', 'system', 'sysbatch')
  .chain((type) => jobOf(type));

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((some) => some.replaceAll('\0', ''));
const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
const durationFrom = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: min, max: max }).map((seconds) => seconds * second);
const meta = fc.dictionary(word, text, { maxKeys: 3 });
const some = <T>(of: fc.Arbitrary<T>, max = 2): fc.Arbitrary<T[]> => fc.array(of, { maxLength: max });

/** A record in which any field may be left out, or null as some clients write it. */
function block(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Body> {
  const given = Object.entries(fields).map(([name, value]) => [name, fc.option(value, { freq: 4 })] as const);
  return fc.record(Object.fromEntries(given), { requiredKeys: [] });
}

const target = fc.oneof(
  word.map((name) => `\${attr.${name}}`),
  word.map((name) => `\${meta.${name}}`),
  fc.constantFrom('${node.datacenter}', '${node.class}', '${node.unique.name}', '${node.pool}'),
);

const condition = fc.oneof(
  fc.record({
    Operand: fc.constantFrom(
      '=',
      '==',
      'is',
      '!=',
      'not',
      '<',
      '<=',
      '>',
      '>=',
      'set_contains',
      'set_contains_any',
    ),
    LTarget: target,
    RTarget: fc.oneof(word, target),
  }),
  fc.record({
    Operand: fc.constant('regexp'),
    LTarget: target,
    RTarget: fc.constantFrom('^a.*z$', '[0-9]+', '(?i)linux', 'a{2,3}|b', '', '${meta.pattern}'),
  }),
  fc.record({
    Operand: fc.constantFrom('version', 'semver'),
    LTarget: target,
    RTarget: fc.constantFrom('>= 1.2, < 2.0', '1.2.3', '!= 1.0.0-beta', '${meta.version}'),
  }),
);
const constraint = fc.oneof(
  condition,
  fc.record({ Operand: fc.constantFrom('is_set', 'is_not_set'), LTarget: target }),
);
const apart = fc.oneof(
  fc.record({ Operand: fc.constant('distinct_hosts'), RTarget: fc.constantFrom('', 'true', 'false') }),
  fc.record({
    Operand: fc.constant('distinct_property'),
    LTarget: target,
    RTarget: fc.constantFrom('', '1', '3'),
  }),
);
const affinity = fc
  .tuple(condition, fc.integer({ min: 1, max: 100 }), fc.boolean())
  .map(([one, weight, isNegative]) => ({ ...one, Weight: isNegative ? -weight : weight }))
  .filter(({ RTarget, Operand }) => RTarget !== '' || Operand === 'regexp');
const spread = fc.record({
  Attribute: target,
  Weight: fc.integer({ min: 1, max: 100 }),
  SpreadTarget: fc.uniqueArray(fc.record({ Value: word, Percent: fc.integer({ min: 0, max: 33 }) }), {
    selector: ({ Value }) => Value,
    maxLength: 3,
  }),
});

const update = fc
  .record({ min: fc.nat(60), more: fc.integer({ min: 1, max: 600 }), rest: fc.integer({ min: 1, max: 600 }) })
  .chain(({ min, more, rest }) =>
    fc.record({
      MinHealthyTime: fc.constant(min * second),
      HealthyDeadline: fc.constant((min + more) * second),
      ProgressDeadline: fc.constantFrom(0, (min + more + rest) * second),
      HealthCheck: fc.constantFrom('checks', 'task_states', 'manual'),
      MaxParallel: fc.nat(5),
      Stagger: durationFrom(1, 60),
      AutoRevert: fc.boolean(),
      Canary: fc.nat(3),
    }),
  );
const restart = fc
  .record({ Attempts: fc.integer({ min: 1, max: 5 }), Delay: durationFrom(0, 60) })
  .chain((policy) =>
    fc.record({
      ...{ Attempts: fc.constant(policy.Attempts), Delay: fc.constant(policy.Delay) },
      Interval: durationFrom(300, 3_600),
      Mode: fc.constantFrom('fail', 'delay'),
    }),
  );
const reschedule = fc.oneof(
  fc.record({
    Unlimited: fc.constant(true),
    Attempts: fc.constant(0),
    DelayFunction: fc.constantFrom('constant', 'exponential', 'fibonacci'),
    Delay: durationFrom(5, 60),
    MaxDelay: durationFrom(60, 3_600),
  }),
  fc.record({
    Unlimited: fc.constant(false),
    Attempts: fc.integer({ min: 0, max: 4 }),
    DelayFunction: fc.constantFrom('constant', 'exponential', 'fibonacci'),
    Delay: durationFrom(5, 60),
    MaxDelay: durationFrom(60, 100),
    Interval: durationFrom(3_600, 86_400),
  }),
);
const migrate = fc.record({
  MaxParallel: fc.nat(3),
  HealthCheck: fc.constantFrom('checks', 'task_states'),
  MinHealthyTime: durationFrom(0, 10),
  HealthyDeadline: durationFrom(10, 600),
});

const driver = fc.oneof(
  fc.record({
    Driver: fc.constant('raw_exec'),
    Config: fc.record(
      { command: fc.constantFrom('/bin/true', '${meta.program}'), args: some(text) },
      { requiredKeys: ['command'] },
    ),
  }),
  fc.record({
    Driver: fc.constant('mock_driver'),
    Config: block({
      run_for: fc.constantFrom('10s', '1m30s', 5_000_000, '${meta.time}'),
      exit_code: fc.constantFrom(0, 1, '3'),
      start_error_recoverable: fc.boolean(),
      start_error: text,
    }),
  }),
  fc.record({
    Driver: fc.constantFrom('docker', 'exec', 'java'),
    Config: fc.dictionary(word, fc.jsonValue(), { maxKeys: 3 }),
  }),
);

const resources = fc.oneof(
  fc.record({ CPU: fc.integer({ min: 1, max: 4_000 }), MemoryMB: fc.integer({ min: 10, max: 1_000 }) }),
  fc.record({
    Cores: fc.integer({ min: 1, max: 4 }),
    MemoryMB: fc.constant(64),
    MemoryMaxMB: fc.constantFrom(0, 64, 128),
  }),
);

function taskOf(type: string): fc.Arbitrary<Body> {
  const fields = block({
    User: word,
    Env: fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), text, { maxKeys: 3 }),
    Meta: meta,
    Constraints: some(constraint),
    ...(type === 'system' ? {} : { Affinities: some(affinity) }),
    Resources: resources,
    RestartPolicy: restart,
    DispatchPayload: fc.record({ File: fc.constantFrom('input.json', 'a_b-c.txt') }),
    KillTimeout: durationFrom(0, 100),
    ShutdownDelay: durationFrom(0, 100),
    KillSignal: fc.constantFrom('', 'SIGTERM', 'SIGINT', 'SIGUSR1', 'SIGKILL'),
    LogConfig: fc.record({
      MaxFiles: fc.integer({ min: 1, max: 9 }),
      MaxFileSizeMB: fc.integer({ min: 1, max: 9 }),
    }),
    Services: some(
      fc.record({ Name: fc.uuid(), Checks: some(block({ Type: word, Interval: durationFrom(1, 9) })) }),
    ),
    Templates: fc.constant([]),
    Artifacts: fc.constant(null),
  });
  return fc.tuple(fields, driver).map(([more, runs]) => ({ ...more, ...runs }));
}

/** Groups have names of their own, and so have their tasks and ports; one task of each has no phase. */
function groupOf(type: string): fc.Arbitrary<Body> {
  const isLong = type === 'service' || type === 'system';
  const isOnNodes = type === 'system' || type === 'sysbatch';
  const fields = block({
    Count: isOnNodes ? fc.constantFrom(0, 1) : fc.nat(5),
    Meta: meta,
    Constraints: some(fc.oneof(constraint, apart)),
    ...(type === 'system' ? {} : { Affinities: some(affinity), Spreads: some(spread) }),
    ...(isLong ? { Update: update } : {}),
    ...(isOnNodes ? {} : { ReschedulePolicy: reschedule }),
    ...(type === 'service' ? { Migrate: migrate } : {}),
    RestartPolicy: restart,
    EphemeralDisk: fc.record({ SizeMB: fc.integer({ min: 101, max: 500 }) }),
    ShutdownDelay: durationFrom(0, 10),
    MaxRunDuration: durationFrom(0, 10_000),
  });
  const phases = some(fc.constantFrom('prestart', 'poststart', 'poststop'), 2);
  const ports = fc.uniqueArray(fc.integer({ min: 1, max: 65_535 }), { maxLength: 3 });
  return fc
    .tuple(fields, fc.array(taskOf(type), { minLength: 3, maxLength: 3 }), phases, ports)
    .map(([more, tasks, hooks, numbers]) => ({
      ...more,
      Networks: [
        {
          ReservedPorts: numbers.map((Value, at) => ({ Label: `fixed${at}`, Value })),
          DynamicPorts: numbers.map((_, at) => ({ Label: `any${at}`, To: at === 0 ? -1 : at * 100 })),
        },
      ],
      Tasks: tasks.slice(0, 1 + hooks.length).map((task, at) => ({
        ...task,
        Name: `task-${at}`,
        Leader: at === 0,
        ...(at === 0 ? {} : { Lifecycle: { Hook: hooks[at - 1] } }),
      })),
    }));
}

function jobOf(type: string): fc.Arbitrary<Body> {
  const isBatch = type === 'batch' || type === 'sysbatch';
  const fields = block({
    Name: word,
    Priority: fc.integer({ min: 1, max: 100 }),
    AllAtOnce: fc.boolean(),
    Datacenters: fc.constantFrom(['*'], ['dc1'], ['dc1', 'dc-*']),
    Meta: meta,
    Constraints: some(fc.oneof(constraint, apart)),
    ...(type === 'system' ? {} : { Affinities: some(affinity), Spreads: some(spread) }),
    ...(isBatch
      ? {
          Periodic: fc.record({
            Spec: fc.constantFrom(
              '*/15 * * * *',
              '@daily',
              '0 0 29 2 *',
              '30 3 * * mon-fri',
              '0 0 0 1 1 * 2030',
            ),
            TimeZone: fc.constantFrom('', 'UTC', 'Europe/Berlin'),
          }),
          ParameterizedJob: fc.record({
            Payload: fc.constantFrom('', 'optional', 'required', 'forbidden'),
            MetaRequired: fc.constantFrom(null, ['a'], ['a', 'b']),
            MetaOptional: fc.constantFrom(null, [], ['c']),
          }),
        }
      : { Update: update }),
  });
  return fc
    .tuple(fields, fc.array(groupOf(type), { minLength: 1, maxLength: 3 }), word)
    .map(([more, groups, ID]) => ({
      ...more,
      ID,
      Type: type,
      TaskGroups: groups.map((group, at) => ({ ...group, Name: `group-${at}` })),
    }));
}
