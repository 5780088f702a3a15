import type { Deployment, DeploymentGroup } from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { useConsole } from '../app/console.js';
import { shortId } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { Age } from '../text/age.js';
import { Action, Actions } from './action.js';
import { Meter } from './meter.js';
import { plainText } from '../text/visible-text.js';

/** The agent's response to a deployment command. */
interface DeploymentWritten {
  readonly EvalID: string;
  readonly RevertedJobVersion: number | null;
}

const right = 'submit-job in its namespace';

/** Shows the progress of a deployment by group. */
export function DeploymentProgress({ deployment }: { readonly deployment: Deployment }) {
  const groups = Object.entries(deployment.TaskGroups ?? {}).filter(
    (entry): entry is [string, DeploymentGroup] => entry[1] !== null,
  );
  return (
    <ul class="progress">
      {groups.map(([name, group]) => (
        <li key={name}>
          <GroupProgress name={name} group={group} />
        </li>
      ))}
    </ul>
  );
}

function GroupProgress({ name, group }: { readonly name: string; readonly group: DeploymentGroup }) {
  const total = Number(group.DesiredTotal);
  const healthy = Number(group.HealthyAllocs);
  const unhealthy = Number(group.UnhealthyAllocs);
  const canaries = Number(group.DesiredCanaries);
  const placedCanaries = group.PlacedCanaries?.length ?? 0;
  const needsBy = group.RequireProgressBy ?? '';
  return (
    <>
      <p class="progress-head">
        <strong>
          <UntrustedText text={name} />
        </strong>{' '}
        <span>
          {total} desired, {String(group.PlacedAllocs)} placed, <span class="good">{healthy} healthy</span>
          {unhealthy > 0 ? (
            <>
              , <span class="bad">{unhealthy} unhealthy</span>
            </>
          ) : (
            ', 0 unhealthy'
          )}
          {canaries > 0 && `, ${placedCanaries} of ${canaries} canaries`}
          {canaries > 0 && (group.Promoted ? ', promoted' : ', not promoted')}
        </span>
      </p>
      <Meter
        label={`healthy of ${plainText(name)}`}
        parts={[
          { value: healthy, tone: 'good' },
          { value: unhealthy, tone: 'bad' },
        ]}
        total={total}
      />
      {needsBy !== '' && healthy < total && (
        <p class="quiet">
          Progress is needed by <UntrustedText text={needsBy} />
        </p>
      )}
    </>
  );
}

interface DeploymentActionsProps {
  readonly deployment: Deployment;
  readonly onWritten: () => void;
}

/** Actions for a deployment that has not ended. */
export function DeploymentActions({ deployment, onWritten }: DeploymentActionsProps) {
  const { api } = useConsole();
  const { ID, Status } = deployment;
  const command = (word: string, body: object) => async () => {
    const path = `/v1/deployment/${word}/${encodeURIComponent(ID)}`;
    const result = await api.put<DeploymentWritten>(path, { DeploymentID: ID, ...body });
    onWritten();
    return result;
  };
  const describeOutcome =
    (what: string) =>
    ({ EvalID, RevertedJobVersion }: DeploymentWritten) =>
      [
        what,
        ...(EvalID === '' ? [] : [`evaluation ${shortId(EvalID)}`]),
        ...(RevertedJobVersion === null ? [] : [`the job returns to version ${RevertedJobVersion}`]),
      ].join(', ') + '.';
  const waits = Object.values(deployment.TaskGroups ?? {}).some(
    (group) => group !== null && Number(group.DesiredCanaries) > 0 && !group.Promoted,
  );
  const isPaused = Status === 'paused';
  return (
    <Actions>
      {isActiveDeployment(deployment) && (
        <>
          {waits && (
            <Action
              label="Promote"
              params="Let the canaries of all groups become the new version?"
              right={right}
              act={command('promote', { All: true })}
              describeOutcome={describeOutcome('Promoted')}
            />
          )}
          <Action
            label={isPaused ? 'Resume' : 'Pause'}
            params={isPaused ? 'Let this deployment go on?' : 'Hold this deployment where it is?'}
            right={right}
            act={command('pause', { Pause: !isPaused })}
            describeOutcome={describeOutcome(isPaused ? 'Resumed' : 'Paused')}
          />
          <Action
            label="Fail"
            params="End this deployment as failed? A job that reverts by itself returns to its last stable version."
            right={right}
            isDangerous
            act={command('fail', {})}
            describeOutcome={describeOutcome('Failed')}
          />
        </>
      )}
    </Actions>
  );
}

/** Shows when a deployment started and last changed. */
export function DeploymentTimes({ deployment }: { readonly deployment: Deployment }) {
  return (
    <span class="quiet">
      begun <Age nanoseconds={deployment.CreateTime} />, changed <Age nanoseconds={deployment.ModifyTime} />
    </span>
  );
}
