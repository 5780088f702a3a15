import { tokenRequestShape } from '../../services/acl/token-request.js';
import { restartShape, signalShape } from '@tamis/scheduler-node/task-commands.js';
import { topicNames } from '../../services/events/topics.js';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import type { Resource } from '@tamis/scheduler-model/resource.js';
import { resourceOf, tableNames, type Rows, type TableName } from '@tamis/scheduler-model/resources.js';
import {
  failureShape,
  healthShape,
  pauseShape,
  promotionShape,
} from '../resources/deployments/deployment-routes.js';
import { scalingEventShape } from '@tamis/scheduler-model/scaling-events.js';
import { scalingRequestShape } from '../resources/jobs/job-scaling.js';
import { dispatchShape, evaluationShape as evaluationRequestShape } from '../resources/jobs/job-writes.js';
import { reversionShape, stabilityShape } from '../resources/jobs/job-version-writes.js';
import { drainShape, eligibilityShape } from '../resources/nodes/node-writes.js';
import {
  bool,
  integer,
  listOf,
  mapOf,
  number,
  orNull,
  record,
  ref,
  schemaOfResponse,
  schemaOfShape,
  text,
  type JsonSchema,
} from '../kernel/json-schema.js';

/** Returns the schemas of a resource: of its rows and its views. */
function schemasOf({ name, shape, views }: Resource<Rows[TableName]>): JsonFields {
  if (name === null) return {};
  // An empty row contains all fields that are ever shown.
  const zero = completeObject(shape, {}) as Rows[TableName];
  const viewSchemas = Object.entries(views).map(([view, { project, others = {} }]) => {
    const more = Object.entries(others).map(([field, of]) => [field, schemaOfShape(of)]);
    return [view, schemaOfResponse(shape, project(zero), Object.fromEntries(more) as JsonFields)];
  });
  return { [name]: schemaOfShape(shape), ...(Object.fromEntries(viewSchemas) as JsonFields) };
}

type JsonFields = Readonly<Record<string, JsonSchema>>;

const ofResources = Object.assign(
  {},
  ...tableNames.map((table) => schemasOf(resourceOf(table))),
) as JsonFields;

function schemaOfRegistration(more: JsonFields): JsonSchema {
  return {
    type: 'object',
    required: ['Job'],
    properties: {
      Job: schemaOfShape(submittedJobShape),
      EnforceIndex: bool,
      JobModifyIndex: { type: 'integer', minimum: 0 },
      EvalPriority: integer,
      Region: text,
      Namespace: text,
      ...more,
    },
  };
}

const envelope = { Index: integer, LastContact: integer, KnownLeader: bool, NextToken: text };
const written = { EvalID: text, EvalCreateIndex: integer, JobModifyIndex: integer, ...envelope };
const labels = mapOf(text);
const sample = record({
  ...{ Name: text, Labels: labels },
  ...{ Count: number, Sum: number, Min: number, Max: number, Mean: number, Stddev: number },
});
const used = record({ Used: number, Total: number });
const health = record({ ok: bool, message: text });

/** The schemas of all bodies, by name. Rows and stubs use the shapes of the server itself. */
export const schemas: JsonFields = {
  ...ofResources,
  JobVersions: record({ Versions: listOf(ref('Job')), Diffs: { type: ['array', 'null'] }, ...envelope }),
  JobRegistration: schemaOfRegistration({}),
  JobRegistered: record({ ...written, Warnings: text }),
  JobDeregistered: record({ ...written, VolumeEvalID: text, VolumeEvalIndex: integer }),
  JobEvaluation: schemaOfShape(evaluationRequestShape),
  JobDispatch: schemaOfShape(dispatchShape),
  JobPlanRequest: schemaOfRegistration({ Diff: bool }),
  JobPlan: record({
    Annotations: record({
      DesiredTGUpdates: mapOf(
        record({
          ...{ Ignore: integer, Place: integer, Migrate: integer, Stop: integer, InPlaceUpdate: integer },
          ...{ DestructiveUpdate: integer, Canary: integer, Preemptions: integer },
        }),
      ),
      PreemptedAllocs: { type: 'null' },
    }),
    FailedTGAllocs: orNull(mapOf({ type: 'object' })),
    JobModifyIndex: integer,
    CreatedEvals: orNull(listOf(ref('Evaluation'))),
    Diff: orNull({ type: 'object' }),
    NextPeriodicLaunch: { ...text, format: 'date-time' },
    Warnings: text,
    Index: integer,
  }),
  JobValidation: record({
    ...{ DriverConfigValidated: bool, ValidationErrors: orNull(listOf(text)), Error: text },
    ...{ Warnings: text, Index: integer },
  }),
  JobReversion: schemaOfShape(reversionShape),
  JobScaling: schemaOfShape(scalingRequestShape),
  JobScaleStatus: record({
    ...{ JobID: text, Namespace: text, JobCreateIndex: integer, JobModifyIndex: integer, JobStopped: bool },
    TaskGroups: mapOf(
      record({
        ...{ Desired: integer, Placed: integer, Running: integer, Healthy: integer, Unhealthy: integer },
        Events: orNull(listOf(schemaOfShape(scalingEventShape))),
      }),
    ),
  }),
  JobStability: schemaOfShape(stabilityShape),
  JobStabilityWritten: record({ JobModifyIndex: integer, Index: integer }),
  AllocationStopped: record({ EvalID: text, Index: integer }),
  JobDispatched: record({
    DispatchedJobID: text,
    JobCreateIndex: integer,
    EvalID: text,
    EvalCreateIndex: integer,
    Index: integer,
  }),
  PeriodicLaunched: record({ EvalID: text, EvalCreateIndex: integer, Index: integer }),
  TaskRestart: schemaOfShape(restartShape),
  TaskSignal: schemaOfShape(signalShape),
  NodePoolUse: record({
    ...{ NodePool: text, Nodes: integer, ReadyNodes: integer, Allocations: integer },
    ...{ CPU: used, MemoryMB: used, DiskMB: used },
  }),
  NodeEligibility: schemaOfShape(eligibilityShape),
  NodeDrain: schemaOfShape(drainShape),
  NodeWritten: {
    type: 'object',
    properties: {
      EvalIDs: orNull(listOf(text)),
      EvalCreateIndex: integer,
      NodeModifyIndex: integer,
      Index: integer,
      Warnings: text,
    },
    required: ['EvalIDs', 'EvalCreateIndex', 'NodeModifyIndex', 'Index'],
  },
  DeploymentPromotion: schemaOfShape(promotionShape),
  DeploymentPause: schemaOfShape(pauseShape),
  DeploymentFailure: schemaOfShape(failureShape),
  AllocationHealth: schemaOfShape(healthShape),
  DeploymentWritten: record({
    EvalID: text,
    EvalCreateIndex: integer,
    DeploymentModifyIndex: integer,
    RevertedJobVersion: orNull(integer),
    Index: integer,
  }),
  Evaluation: {
    ...ofResources['Evaluation'],
    properties: { ...ofResources['Evaluation']?.properties, RelatedEvals: listOf(ref('EvaluationStub')) },
  },
  AclTokenRequest: schemaOfShape(tokenRequestShape),
  AclPolicyRequest: {
    type: 'object',
    required: ['Rules'],
    properties: { Name: text, Description: text, Rules: { ...text, description: 'HCL 1 or JSON' } },
  },
  AclBootstrapRequest: { type: 'object', properties: { BootstrapSecret: { ...text, format: 'uuid' } } },
  ScanExplanation: record({
    Filter: text,
    Index: orNull(record({ Field: text, Keys: listOf(text), Range: orNull(text) })),
    Residual: orNull(text),
    Sort: orNull(
      record({ Field: text, Descending: { type: 'boolean' }, By: { ...text, enum: ['index', 'rows'] } }),
    ),
    RowsExamined: integer,
    RowsMatched: integer,
    Clauses: listOf(record({ Filter: text, By: text, Rows: integer, Matched: integer, Duration: integer })),
    Duration: integer,
    Columns: orNull(
      listOf(record({ Filter: text, By: { ...text, enum: ['columns', 'kept', 'rows'] }, Why: text })),
    ),
    Notes: listOf(record({ Text: text, Instead: orNull(text) })),
    Empty: orNull(
      record({
        Clauses: listOf(
          record({
            Filter: text,
            Values: listOf(record({ Text: text, Count: integer })),
            HasMoreValues: bool,
            Range: orNull(record({ Least: text, Greatest: text })),
            Instead: orNull(text),
          }),
        ),
        RowsWithout: integer,
        RowsSampled: integer,
        RowsExamined: integer,
        IsPartial: bool,
      }),
    ),
  }),
  FacetCounts: record({
    Total: integer,
    Facets: mapOf(
      record({
        Values: listOf(record({ Value: { type: ['string', 'boolean', 'integer'] }, Count: integer })),
        Others: integer,
      }),
    ),
  }),
  Member: record({
    Name: text,
    Addr: text,
    Port: integer,
    Tags: mapOf(text),
    Status: { ...text, enum: ['none', 'alive', 'leaving', 'left', 'failed'] },
    ProtocolMin: integer,
    ProtocolMax: integer,
    ProtocolCur: integer,
    DelegateMin: integer,
    DelegateMax: integer,
    DelegateCur: integer,
  }),
  Members: record({ ServerName: text, ServerRegion: text, ServerDC: text, Members: listOf(ref('Member')) }),
  Joined: record({ num_joined: integer, error: text }),
  AgentSelf: record({ config: { type: 'object' }, member: ref('Member'), stats: mapOf(mapOf(text)) }),
  AgentHealth: { type: 'object', properties: { client: health, server: health } },
  AgentHost: record({ AgentID: text, HostData: { type: 'object' } }),
  Workers: record({
    server_id: text,
    schedulers: listOf(
      record({
        id: text,
        enabled_schedulers: listOf(text),
        started: { ...text, format: 'date-time' },
        status: text,
        workload_status: text,
      }),
    ),
  }),
  WorkerConfig: record({ server_id: text, num_schedulers: integer, enabled_schedulers: listOf(text) }),
  WorkerConfigRequest: {
    type: 'object',
    required: ['num_schedulers', 'enabled_schedulers'],
    properties: { server_id: text, num_schedulers: integer, enabled_schedulers: listOf(text) },
  },
  Event: record({
    ...{ Topic: { ...text, enum: [...topicNames] }, Type: text, Key: text, Namespace: text },
    ...{ FilterKeys: listOf(text), Index: integer, Payload: { type: 'object' } },
  }),
  EventFrame: {
    type: 'object',
    description: 'Empty where it only shows that the stream is alive.',
    properties: {
      Index: integer,
      Events: listOf(ref('Event')),
      Gap: record({ From: integer, To: integer, Code: text, Message: text }),
      End: record({ Code: text, Message: text }),
    },
  },
  FileInfo: record({
    ...{ Name: text, IsDir: { type: 'boolean' }, Size: integer },
    ...{ FileMode: { ...text, description: 'such as -rw-r--r-- or drwx------' }, ModTime: text },
  }),
  LogFrame: {
    type: 'object',
    properties: {
      Data: { ...text, contentEncoding: 'base64' },
      FileEvent: text,
      File: text,
      Offset: integer,
    },
  },
  Metrics: record({
    Timestamp: text,
    Gauges: listOf(record({ Name: text, Value: number, Labels: labels })),
    Counters: listOf(sample),
    Points: listOf({}),
    Samples: listOf(sample),
  }),
};
