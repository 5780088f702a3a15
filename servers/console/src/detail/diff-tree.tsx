import type {
  DiffType,
  FieldDiff,
  JobDiff,
  ObjectDiff,
  TaskDiff,
  TaskGroupDiff,
} from '@tamis/scheduler-model/job-diff.js';
import { counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

const signs: Readonly<Record<DiffType, string>> = { None: ' ', Added: '+', Deleted: '−', Edited: '±' };
const words: Readonly<Record<DiffType, string>> = {
  None: 'unchanged',
  Added: 'added',
  Deleted: 'deleted',
  Edited: 'changed',
};

/** Maximum rendered entries per block. A job may differ in thousands. */
const maxEntries = 200;

/** Shows the differences between two versions of a job. */
export function DiffTree({ diff }: { readonly diff: JobDiff }) {
  if (diff.Type === 'None') return <p class="quiet">No differences.</p>;
  return (
    <ul class="diff">
      <Contents of={diff} />
      <LimitedList
        of={diff.TaskGroups}
        render={(group) => <GroupDiff key={group.Name} group={group} />}
        noun="group"
      />
    </ul>
  );
}

function GroupDiff({ group }: { readonly group: TaskGroupDiff }) {
  const updates = Object.entries(group.Updates ?? {}).map(([word, count]) => `${count} ${word}`);
  return (
    <Block type={group.Type} name={`group ${group.Name}`} note={updates.join(', ')}>
      <Contents of={group} />
      <LimitedList
        of={group.Tasks}
        render={(task) => <TaskDiffBlock key={task.Name} task={task} />}
        noun="task"
      />
    </Block>
  );
}

function TaskDiffBlock({ task }: { readonly task: TaskDiff }) {
  return (
    <Block type={task.Type} name={`task ${task.Name}`} note={(task.Annotations ?? []).join(', ')}>
      <Contents of={task} />
    </Block>
  );
}

function Contents({ of }: { readonly of: Pick<ObjectDiff, 'Fields' | 'Objects'> }) {
  return (
    <>
      <LimitedList of={of.Fields} render={(field) => <Field key={field.Name} field={field} />} noun="field" />
      <LimitedList
        of={of.Objects}
        render={(object, index) => (
          <Block key={index} type={object.Type} name={object.Name} note="">
            <Contents of={object} />
          </Block>
        )}
        noun="block"
      />
    </>
  );
}

interface BlockProps {
  readonly type: DiffType;
  readonly name: string;
  readonly note: string;
  readonly children: preact.ComponentChildren;
}

function Block({ type, name, note, children }: BlockProps) {
  return (
    <li class={`diff-${type.toLowerCase()}`}>
      <Sign type={type} /> <UntrustedText text={name} />
      {note !== '' && (
        <span class="quiet">
          {' '}
          (<UntrustedText text={note} />)
        </span>
      )}
      <ul class="diff">{children}</ul>
    </li>
  );
}

function Field({ field: { Type, Name, Old, New } }: { readonly field: FieldDiff }) {
  return (
    <li class={`diff-${Type.toLowerCase()}`}>
      <Sign type={Type} /> <UntrustedText text={Name} />:{' '}
      {Type !== 'Added' && (
        <del>
          <Value text={Old} />
        </del>
      )}
      {Type === 'Edited' && ' → '}
      {Type !== 'Deleted' && (
        <ins>
          <Value text={New} />
        </ins>
      )}
    </li>
  );
}

function Value({ text }: { readonly text: string }) {
  return text === '' ? <span class="quiet">nothing</span> : <UntrustedText text={text} isExpandable />;
}

/** Shows the type of a difference by colour and also as a word, for screen readers. */
function Sign({ type }: { readonly type: DiffType }) {
  return (
    <>
      <span class="diff-sign" aria-hidden>
        {signs[type]}
      </span>
      <span class="visually-hidden">{words[type]}: </span>
    </>
  );
}

interface LimitedListProps<D extends { readonly Type: DiffType }> {
  readonly of: readonly D[] | null;
  readonly render: (item: D, index: number) => preact.ComponentChildren;
  readonly noun: string;
}

function LimitedList<D extends { readonly Type: DiffType }>({ of, render, noun }: LimitedListProps<D>) {
  const differing = (of ?? []).filter(({ Type }) => Type !== 'None');
  return (
    <>
      {differing.slice(0, maxEntries).map(render)}
      {differing.length > maxEntries && (
        <li class="quiet">{counted(differing.length - maxEntries, `more ${noun}`)}</li>
      )}
    </>
  );
}
