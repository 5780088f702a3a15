import type {
  DiffType,
  FieldDiff,
  JobDiff,
  ObjectDiff,
  TaskDiff,
  TaskGroupDiff,
} from '../../model/job-diff.js';
import { harmless } from '../../terminal/harmless.js';
import type { Palette } from '../../terminal/palette.js';

/** The differences of a job from what it was, a line each, indented by blocks. */
export function diffLines(diff: JobDiff, palette: Palette): string[] {
  const all = [
    line(diff.Type, `job ${harmless(diff.ID)}`, 0, palette),
    ...contentLines(diff, 1, palette),
    ...(diff.TaskGroups ?? []).flatMap((group) => groupLines(group, palette)),
  ];
  return diff.Type === 'None' ? ['  no differences'] : all;
}

function groupLines(group: TaskGroupDiff, palette: Palette): string[] {
  const updates = Object.entries(group.Updates ?? {}).map(([word, count]) => `${count} ${word}`);
  const told = updates.length === 0 ? '' : ` (${updates.join(', ')})`;
  return [
    line(group.Type, `group ${harmless(group.Name)}${told}`, 1, palette),
    ...contentLines(group, 2, palette),
    ...(group.Tasks ?? []).flatMap((task) => taskLines(task, palette)),
  ];
}

function taskLines(task: TaskDiff, palette: Palette): string[] {
  const told = task.Annotations === null ? '' : ` (${task.Annotations.join(', ')})`;
  return [
    line(task.Type, `task ${harmless(task.Name)}${told}`, 2, palette),
    ...contentLines(task, 3, palette),
  ];
}

function contentLines(
  { Fields, Objects }: Pick<ObjectDiff, 'Fields' | 'Objects'>,
  depth: number,
  palette: Palette,
): string[] {
  return [
    ...(Fields ?? []).map((field) => line(field.Type, fieldText(field), depth, palette)),
    ...(Objects ?? []).flatMap((block) => [
      line(block.Type, harmless(block.Name), depth, palette),
      ...contentLines(block, depth + 1, palette),
    ]),
  ];
}

function fieldText({ Type, Name, Old, New }: FieldDiff): string {
  const quoted = (text: string): string => JSON.stringify(harmless(text));
  const change =
    Type === 'Edited' ? `${quoted(Old)} => ${quoted(New)}` : quoted(Type === 'Deleted' ? Old : New);
  return `${harmless(Name)}: ${change}`;
}

const marks: Readonly<Record<DiffType, readonly [mark: string, mood: keyof Palette | null]>> = {
  Added: ['+', 'good'],
  Deleted: ['-', 'bad'],
  Edited: ['~', 'waiting'],
  None: [' ', null],
};

function line(type: DiffType, text: string, depth: number, palette: Palette): string {
  const [mark, mood] = marks[type];
  const whole = `${mark} ${'  '.repeat(depth)}${text}`;
  return mood === null ? whole : palette[mood](whole);
}
