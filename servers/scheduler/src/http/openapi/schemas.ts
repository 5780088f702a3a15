import { tokenRequestShape } from '../../acl/token-request.js';
import { aclPolicyShape, aclPolicyStub } from '../../model/acl-policy.js';
import { aclTokenShape, aclTokenStub, publicAclToken } from '../../model/acl-token.js';
import { allocationShape } from '../../model/allocation.js';
import { allocationStub } from '../../model/allocation-stub.js';
import { completeObject } from '../../model/complete-shape.js';
import { deploymentShape } from '../../model/deployment.js';
import { evaluationShape, evaluationStub } from '../../model/evaluation.js';
import { jobShape } from '../../model/job.js';
import { submittedJobShape } from '../../model/job-defaults.js';
import { jobStub } from '../../model/job-stub.js';
import { jobSummaryShape } from '../../model/job-summary.js';
import { namespaceShape } from '../../model/namespace.js';
import { nodeShape, nodeStub, publicNode } from '../../model/node.js';
import type { Row, StructShape } from '../../model/shape.js';
import { failureShape, healthShape, pauseShape, promotionShape } from '../deployment-writes.js';
import { dispatchShape, evaluationShape as evaluationRequestShape } from '../job-writes.js';
import { drainShape, eligibilityShape } from '../node-writes.js';
import {
  bool,
  integer,
  listOf,
  mapOf,
  number,
  orNull,
  record,
  ref,
  schemaOfAnswer,
  schemaOfShape,
  text,
  type JsonSchema,
} from './json-schema.js';

/** A row in which nothing is given: what is shown of it has all the fields that are ever shown. */
function zero<S extends StructShape>(shape: S): Row<S> {
  return completeObject(shape, {}, (label) => label) as Row<S>;
}

const envelope = { Index: integer, LastContact: integer, KnownLeader: bool, NextToken: text };
const written = { EvalID: text, EvalCreateIndex: integer, JobModifyIndex: integer, ...envelope };
const labels = mapOf(text);
const sample = record({
  ...{ Name: text, Labels: labels },
  ...{ Count: number, Sum: number, Min: number, Max: number, Mean: number, Stddev: number },
});
const health = record({ ok: bool, message: text });

/** Everything that bodies hold, by name. Rows and stubs are made from the shapes that the server itself goes by. */
export const schemas: Readonly<Record<string, JsonSchema>> = {
  Job: schemaOfShape(jobShape),
  JobListStub: schemaOfAnswer(jobShape, jobStub(zero(jobShape), null, true), {
    JobSummary: orNull(schemaOfShape(jobSummaryShape)),
    Periodic: bool,
    ParameterizedJob: bool,
    Meta: schemaOfShape(jobShape.fields.Meta),
  }),
  JobSummary: schemaOfShape(jobSummaryShape),
  JobVersions: record({ Versions: listOf(ref('Job')), Diffs: { type: ['array', 'null'] }, ...envelope }),
  JobRegistration: {
    type: 'object',
    required: ['Job'],
    properties: {
      Job: schemaOfShape(submittedJobShape),
      EnforceIndex: bool,
      JobModifyIndex: { type: 'integer', minimum: 0 },
      EvalPriority: integer,
      Region: text,
      Namespace: text,
    },
  },
  JobRegistered: record({ ...written, Warnings: text }),
  JobDeregistered: record({ ...written, VolumeEvalID: text, VolumeEvalIndex: integer }),
  JobEvaluation: schemaOfShape(evaluationRequestShape),
  JobDispatch: schemaOfShape(dispatchShape),
  JobDispatched: record({
    DispatchedJobID: text,
    JobCreateIndex: integer,
    EvalID: text,
    EvalCreateIndex: integer,
    Index: integer,
  }),
  PeriodicLaunched: record({ EvalID: text, EvalCreateIndex: integer, Index: integer }),
  NodeEligibility: schemaOfShape(eligibilityShape),
  NodeDrain: schemaOfShape(drainShape),
  NodeWritten: record({
    EvalIDs: orNull(listOf(text)),
    EvalCreateIndex: integer,
    NodeModifyIndex: integer,
    Index: integer,
  }),
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
  Node: schemaOfAnswer(nodeShape, publicNode(zero(nodeShape))),
  NodeListStub: schemaOfAnswer(nodeShape, nodeStub(zero(nodeShape), { resources: true, os: true })),
  Allocation: schemaOfShape(allocationShape),
  AllocationListStub: schemaOfAnswer(
    allocationShape,
    allocationStub(zero(allocationShape), { resources: true, taskStates: true }),
    { JobType: text, JobVersion: integer },
  ),
  Evaluation: schemaOfAnswer(evaluationShape, zero(evaluationShape), {
    RelatedEvals: listOf(ref('EvaluationStub')),
  }),
  EvaluationStub: schemaOfAnswer(evaluationShape, evaluationStub(zero(evaluationShape))),
  Deployment: schemaOfShape(deploymentShape),
  Namespace: schemaOfShape(namespaceShape),
  AclToken: schemaOfAnswer(aclTokenShape, publicAclToken(zero(aclTokenShape))),
  AclTokenListStub: schemaOfAnswer(aclTokenShape, aclTokenStub(zero(aclTokenShape))),
  AclTokenRequest: schemaOfShape(tokenRequestShape),
  AclPolicy: schemaOfAnswer(aclPolicyShape, zero(aclPolicyShape)),
  AclPolicyListStub: schemaOfAnswer(aclPolicyShape, aclPolicyStub(zero(aclPolicyShape))),
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
    RowsExamined: integer,
    RowsMatched: integer,
    Clauses: listOf(record({ Filter: text, By: text, Rows: integer, Matched: integer, Duration: integer })),
    Duration: integer,
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
