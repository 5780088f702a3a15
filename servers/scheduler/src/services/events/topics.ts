import type { Schema } from 'tamis';
import { aclPolicyStub } from '@tamis/scheduler-model/acl-policy.js';
import { aclTokenStub } from '@tamis/scheduler-model/acl-token.js';
import { publicNode } from '@tamis/scheduler-model/node.js';
import { omitEmpty } from '@tamis/scheduler-model/omit-empty.js';
import { resources, type EventTable, type Rows, type TableName } from '@tamis/scheduler-model/resources.js';
import {
  allocationEventType,
  deploymentEventType,
  evaluationEventType,
  jobEventType,
  nodeEventType,
  writtenOrDeleted,
  type RowVersions,
} from './event-types.js';

/** The right needed to receive an event: `read-job` in its namespace, any right in its namespace, or one of the others. */
export type EventRight = 'read-job' | 'namespace' | 'node' | 'management';

/** Declaration of a topic: the events of one table. */
interface TopicDeclaration<N extends TableName> {
  readonly table: N;
  readonly right: EventRight;
  readonly type: (versions: RowVersions<Rows[N]>) => string;
  readonly key: (row: Rows[N]) => string;
  /** Empty for rows without a namespace. */
  readonly namespace: (row: Rows[N]) => string;
  /** Alternative keys of the event, such as the job of an allocation. */
  readonly filterKeys: (row: Rows[N]) => readonly string[];
  /** Returns the payload, which never contains a secret. */
  readonly project: (row: Rows[N]) => object;
}

/** A topic: the events of one table, without its static type. */
export interface EventTopic extends TopicDeclaration<TableName> {
  /** Name of the topic in queries and events, and of the object in its payloads. */
  readonly name: TopicName;
  /** Schema of the full object, on which filters are evaluated. */
  readonly schema: Schema;
}

/** Removes the static type of a declaration. This is safe, because a topic receives only rows of its table. */
function topic<N extends EventTable>(declaration: TopicDeclaration<N>): TopicDeclaration<TableName> {
  return declaration as unknown as TopicDeclaration<TableName>;
}

const namespaceOf = ({ Namespace }: { readonly Namespace: string }): string => Namespace;
const noNamespace = (): string => '';
const noKeys = (): readonly string[] => [];
const idOf = ({ ID }: { readonly ID: string }): string => ID;
const nameOf = ({ Name }: { readonly Name: string }): string => Name;
const whole = (row: object): object => row;

/** The list of all topics. */
const topics = {
  Job: topic({
    table: 'jobs',
    right: 'read-job',
    type: jobEventType,
    key: idOf,
    namespace: namespaceOf,
    filterKeys: ({ ParentID }) => given(ParentID),
    project: whole,
  }),
  Allocation: topic({
    table: 'allocations',
    right: 'read-job',
    type: allocationEventType,
    key: idOf,
    namespace: namespaceOf,
    filterKeys: ({ JobID, DeploymentID, NodeID }) => given(JobID, DeploymentID, NodeID),
    // The job is omitted: it has its own events, and is the largest part of an allocation.
    project: (row) => omitEmpty({ ...row, Job: null }),
  }),
  Evaluation: topic({
    table: 'evaluations',
    right: 'read-job',
    type: evaluationEventType,
    key: idOf,
    namespace: namespaceOf,
    filterKeys: ({ JobID, DeploymentID }) => given(JobID, DeploymentID),
    project: omitEmpty,
  }),
  Deployment: topic({
    table: 'deployments',
    right: 'read-job',
    type: deploymentEventType,
    key: idOf,
    namespace: namespaceOf,
    filterKeys: ({ JobID }) => given(JobID),
    project: whole,
  }),
  Node: topic({
    table: 'nodes',
    right: 'node',
    type: nodeEventType,
    key: idOf,
    namespace: noNamespace,
    filterKeys: noKeys,
    project: publicNode,
  }),
  Namespace: topic({
    table: 'namespaces',
    right: 'namespace',
    type: writtenOrDeleted('NamespaceUpserted', 'NamespaceDeleted'),
    key: nameOf,
    namespace: noNamespace,
    filterKeys: noKeys,
    project: whole,
  }),
  ACLToken: topic({
    table: 'acl_tokens',
    right: 'management',
    type: writtenOrDeleted('ACLTokenUpserted', 'ACLTokenDeleted'),
    key: ({ AccessorID }) => AccessorID,
    namespace: noNamespace,
    filterKeys: noKeys,
    project: aclTokenStub,
  }),
  ACLPolicy: topic({
    table: 'acl_policies',
    right: 'management',
    type: writtenOrDeleted('ACLPolicyUpserted', 'ACLPolicyDeleted'),
    key: nameOf,
    namespace: noNamespace,
    filterKeys: noKeys,
    project: aclPolicyStub,
  }),
} as const;

export type TopicName = keyof typeof topics;

export const topicNames = Object.keys(topics) as readonly TopicName[];

export const eventTopics: readonly EventTopic[] = topicNames.map((name) => {
  const declaration = topics[name];
  return { name, schema: resources[declaration.table].schema, ...declaration };
});

function given(...keys: readonly string[]): readonly string[] {
  return keys.filter((key) => key !== '');
}

const byTable: ReadonlyMap<TableName, EventTopic> = new Map(eventTopics.map((each) => [each.table, each]));

/** Returns the topic of a table; null if its changes are not published. */
export function topicOf(table: TableName): EventTopic | null {
  return byTable.get(table) ?? null;
}
