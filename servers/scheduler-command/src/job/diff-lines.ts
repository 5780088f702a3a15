import type {
  DiffType,
  FieldDiff,
  JobDiff,
  ObjectDiff,
  TaskDiff,
  TaskGroupDiff,
} from '@tamis/scheduler-model/job-diff.js';
import { cut } from '../terminal/cut.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import type { Palette } from '../terminal/palette.js';
import type { TableLayout } from '../terminal/table.js';

/** A line before formatting. */
interface DiffLine {
  readonly type: DiffType;
  readonly depth: number;
  readonly text: string;
}

const marks: Readonly<Record<DiffType, readonly [mark: string, mood: keyof Palette | null]>> = {
  Added: ['+', 'good'],
  Deleted: ['-', 'bad'],
  Edited: ['~', 'waiting'],
  None: [' ', null],
};

/** Returns the differences of a job from its previous version, one per line, indented by blocks. */
export function diffLines(diff: JobDiff, { palette, width }: TableLayout): string[] {
  return linesOf(diff).map(({ type, depth, text }) => {
    const [mark, mood] = marks[type];
    const whole = `${mark} ${'  '.repeat(depth)}${sanitizeForTerminal(text)}`;
    const printed = width === null ? whole : cut(whole, width);
    return mood === null ? printed : palette[mood](printed);
  });
}

function linesOf(diff: JobDiff): DiffLine[] {
  if (diff.Type === 'None') return [{ type: 'None', depth: 0, text: 'no differences' }];
  return [
    { type: diff.Type, depth: 0, text: `job ${diff.ID}` },
    ...contentLines(diff, 1),
    ...(diff.TaskGroups ?? []).flatMap(groupLines),
  ];
}

function groupLines(group: TaskGroupDiff): DiffLine[] {
  const updates = Object.entries(group.Updates ?? {}).map(([word, count]) => `${count} ${word}`);
  const reported = updates.length === 0 ? '' : ` (${updates.join(', ')})`;
  return [
    { type: group.Type, depth: 1, text: `group ${group.Name}${reported}` },
    ...contentLines(group, 2),
    ...(group.Tasks ?? []).flatMap(taskLines),
  ];
}

function taskLines(task: TaskDiff): DiffLine[] {
  const reported = task.Annotations === null ? '' : ` (${task.Annotations.join(', ')})`;
  return [{ type: task.Type, depth: 2, text: `task ${task.Name}${reported}` }, ...contentLines(task, 3)];
}

function contentLines(
  { Fields, Objects }: Pick<ObjectDiff, 'Fields' | 'Objects'>,
  depth: number,
): DiffLine[] {
  return [
    ...(Fields ?? []).map((field) => ({ type: field.Type, depth, text: fieldText(field) })),
    ...(Objects ?? []).flatMap((block) => [
      { type: block.Type, depth, text: block.Name },
      ...contentLines(block, depth + 1),
    ]),
  ];
}

function fieldText({ Type, Name, Old, New }: FieldDiff): string {
  if (Type !== 'Edited') return `${Name}: ${JSON.stringify(Type === 'Deleted' ? Old : New)}`;
  const [before, after] = aroundChange(Old, New);
  return `${Name}: ${before} => ${after}`;
}

/** Number of characters shown before and after a difference in long strings. */
const context = 12;

/** Returns two strings without most of their common prefix and suffix. */
function aroundChange(old: string, next: string): readonly [string, string] {
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === next[next.length - 1 - end]) end += 1;
  const from = start > 2 * context ? start - context : 0;
  const tailStart = end > 2 * context ? end - context : 0;
  const print = (text: string): string =>
    `${from > 0 ? '…' : ''}${JSON.stringify(text.slice(from, text.length - tailStart))}${tailStart > 0 ? '…' : ''}`;
  return [print(old), print(next)];
}
