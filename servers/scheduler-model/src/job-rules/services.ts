import { readBlocks, serviceShape, type ServiceInput } from '../job-blocks.js';
import type { TaskGroup } from '../task-group.js';
import { when, within } from './findings.js';
import { clip, quote } from '../quote.js';
import { portLabels } from './networks.js';

/** Checks services. They are stored and shown but not registered anywhere; invalid ones are still rejected. */
export function serviceErrors(group: TaskGroup): string[] {
  const ofGroup = readBlocks(serviceShape, group.Services);
  const ofTasks = (group.Tasks ?? []).flatMap(({ Services }) => readBlocks(serviceShape, Services));
  if (ofGroup.length + ofTasks.length === 0) return [];
  const labels = portLabels(group);
  const tasks = new Set((group.Tasks ?? []).map(({ Name }) => Name));
  const seen = new Set<string>();
  return [...ofGroup, ...ofTasks].flatMap((service, at) => {
    const { Name: name = '', PortLabel: label = '' } = service;
    const key = JSON.stringify([name, label]);
    const isTwice = seen.has(key);
    seen.add(key);
    return [
      ...within(`Service[${at}] ${clip(name)}`, [
        ...nameErrors(name),
        ...portErrors(service, labels),
        ...taskErrors(service, tasks),
      ]),
      ...when(isTwice && name !== '', `Service ${clip(name)} is duplicate`),
    ];
  });
}

function nameErrors(name: string): string[] {
  if (name === '') return [];
  // Interpolated values count as valid words.
  const filled = name.replace(/\$\{[^{}]*\}/g, 'x');
  const isName = filled.length <= 63 && /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(filled);
  return when(
    !isName,
    `Service name must be valid per RFC 1123 and can contain only alphanumeric characters or dashes and must be no longer than 63 characters: ${quote(name)}`,
  );
}

/** Accepts a port label of the group, a number, or an interpolated value. */
function portErrors(
  { PortLabel: label = '', Name: name = '' }: ServiceInput,
  labels: ReadonlySet<string>,
): string[] {
  const isKnown = label === '' || labels.has(label) || /^\d{1,5}$/.test(label) || label.includes('${');
  return when(!isKnown, `Port label ${quote(label)} referenced by services ${quote(name)} does not exist`);
}

function taskErrors({ TaskName: task = '' }: ServiceInput, tasks: ReadonlySet<string>): string[] {
  return when(task !== '' && !tasks.has(task), `Service refers to non-existent task ${quote(task)}`);
}
