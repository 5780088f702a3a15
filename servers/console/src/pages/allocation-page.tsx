import { readClaim } from '@tamis/scheduler-model/allocated-resources.js';
import { AllocationActions } from '../allocation/allocation-actions.js';
import { FileBrowser } from '../allocation/file-browser.js';
import { AllocationLogs } from '../allocation/log-page.js';
import { tasksOf, type AllocationView } from '../allocation/allocation-view.js';
import { TaskStates } from '../allocation/task-states.js';
import { useConsole } from '../app/console.js';
import type { PageProps } from '../app/page-declaration.js';
import { healthText } from '../detail/allocation-columns.js';
import { DetailPage } from '../detail/detail-page.js';
import { JobLink, RowLink, rowLinkOrNull } from '../detail/links.js';
import { Facts, Section } from '../detail/section.js';
import { useView, Views } from '../detail/views.js';
import { useReading } from '../live/use-reading.js';
import { Age } from '../text/age.js';
import { countText } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

const views = { '': 'Overview', logs: 'Logs', files: 'Files' };

/** Shows one allocation: the state of its tasks, their output, its files. */
export function AllocationPage({ id }: PageProps) {
  const { location } = useConsole();
  const view = useView(views);
  const { query } = location.place.value;
  const reading = useReading<AllocationView>({
    path: `/v1/allocation/${encodeURIComponent(id)}`,
    topics: [`Allocation:${id}`],
  });
  return (
    <DetailPage
      title={reading.value?.Name ?? id}
      reading={reading}
      statuses={({ ClientStatus = 'pending' }) => [ClientStatus]}
      what="the allocation"
      right="read-job in its namespace"
    >
      {(allocation, refresh) => (
        <>
          <AllocationActions allocation={allocation} onWritten={refresh} />
          <Views parts={['allocations', id]} label="Parts of the allocation" titles={views} current={view} />
          {view === '' && <AllocationOverview allocation={allocation} />}
          {view === 'logs' && <AllocationLogs allocation={allocation} />}
          {view === 'files' && (
            <FileBrowser
              allocation={allocation.ID}
              path={query.get('path') ?? ''}
              isFile={query.get('kind') === 'file'}
            />
          )}
        </>
      )}
    </DetailPage>
  );
}

function AllocationOverview({ allocation }: { readonly allocation: AllocationView }) {
  return (
    <>
      <AllocationFacts allocation={allocation} />
      <Section title="Tasks">
        <TaskStates allocation={allocation.ID} tasks={tasksOf(allocation)} />
      </Section>
    </>
  );
}

function AllocationFacts({ allocation }: { readonly allocation: AllocationView }) {
  const { JobID, Namespace, NodeID, NodeName, ClientDescription, DesiredDescription } = allocation;
  return (
    <Facts
      of={{
        ID: <code>{allocation.ID}</code>,
        Job: (
          <>
            <JobLink id={JobID} namespace={Namespace} />, version {String(allocation.Job?.Version ?? 0)}
          </>
        ),
        Group: allocation.TaskGroup,
        Node: <RowLink to="nodes" id={NodeID} name={NodeName ?? ''} />,
        'Desired status': (
          <>
            <UntrustedText text={allocation.DesiredStatus ?? ''} />{' '}
            <UntrustedText text={DesiredDescription ?? ''} isExpandable />
          </>
        ),
        'What the node says': ClientDescription,
        Health: healthText(allocation.DeploymentStatus),
        Resources: resourcesText(allocation),
        Ports: portsOf(allocation),
        Evaluation: <RowLink to="evaluations" id={allocation.EvalID} />,
        Deployment: <RowLink to="deployments" id={allocation.DeploymentID} />,
        'In the place of': rowLinkOrNull('allocations', allocation.PreviousAllocation),
        'Followed by': rowLinkOrNull('allocations', allocation.NextAllocation),
        Made: <Age nanoseconds={allocation.CreateTime ?? 0} />,
        Changed: <Age nanoseconds={allocation.ModifyTime ?? 0} />,
      }}
    />
  );
}

function resourcesText({ AllocatedResources: given }: AllocationView): string {
  if (typeof given !== 'object' || given === null) return '–';
  const { cpu, memory, disk, cores } = readClaim(given);
  const whole = cores.length === 0 ? '' : `, cores ${cores.join(', ')}`;
  return `${countText(cpu)} MHz${whole}, ${countText(memory)} MB of memory, ${countText(disk)} MB of disk`;
}

type ResourceRecord = Readonly<Record<string, unknown>>;

/** Returns ports such as `http 10.0.0.1:20002`; ports of a single task follow its name. Rows may contain any value. */
function portsOf({ AllocatedResources: given }: AllocationView): string {
  const { Shared, Tasks } = recordOf(given);
  const ofTasks = Object.entries(recordOf(Tasks)).flatMap(([task, resources]) =>
    listIn(resources, 'Networks').flatMap((network) =>
      [...listIn(network, 'ReservedPorts'), ...listIn(network, 'DynamicPorts')].map((port) =>
        portText(`${task} ${String(port['Label'])}`, network['IP'], port['Value']),
      ),
    ),
  );
  const shared = listIn(Shared, 'Ports').map(({ Label, HostIP, Value }) =>
    portText(String(Label), HostIP, Value),
  );
  return [...shared, ...ofTasks].join(', ');
}

function portText(label: string, address: unknown, port: unknown): string {
  return `${label} ${String(address)}:${String(port)}`;
}

function recordOf(value: unknown): ResourceRecord {
  return typeof value === 'object' && value !== null ? (value as ResourceRecord) : {};
}

function listIn(value: unknown, name: string): readonly ResourceRecord[] {
  const list = recordOf(value)[name];
  return Array.isArray(list) ? list.map(recordOf) : [];
}
