import type { Event } from '../data/event.js';

/** An expression of the standard dialect that go-bexpr does not have, and the loop that it is measured against. */
export interface StandardCase {
  readonly expression: string;
  readonly byHand: (events: readonly Event[]) => readonly Event[];
  /** How many of the 100,000 events satisfy it. */
  readonly matches: number;
}

export const eventCount = 100_000;

const zones = Array.from({ length: 20 }, (_, index) => `zone-${index * 2}`);
const zoneSet = new Set(zones);
const june = Date.parse('2026-06-01T00:00:00Z');
const november = Date.parse('2026-11-01T00:00:00Z');
const juneInNanoseconds = june * 1e6;
const thirties = /-frontend-.*3.$/s;

/* As in `hand-written.ts`: a loop for each, because a shared one would lose what is measured. */
export const standardCases: readonly StandardCase[] = [
  {
    expression: 'Weight < 50',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (event.Weight < 50) selected.push(event);
      }
      return selected;
    },
    matches: 50_075,
  },
  {
    expression: `Zone in [${zones.map((zone) => `"${zone}"`).join(', ')}]`,
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (zoneSet.has(event.Zone)) selected.push(event);
      }
      return selected;
    },
    matches: 50_147,
  },
  {
    expression: 'Title starts with "web-"',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (event.Title.startsWith('web-')) selected.push(event);
      }
      return selected;
    },
    matches: 8359,
  },
  {
    expression: 'Title like "web-*7"',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        const title = event.Title;
        if (title.startsWith('web-') && title.endsWith('7') && title.length > 4) selected.push(event);
      }
      return selected;
    },
    matches: 800,
  },
  {
    expression: 'Title like "*-frontend-*3?"',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (thirties.test(event.Title)) selected.push(event);
      }
      return selected;
    },
    matches: 1032,
  },
  {
    expression: 'Outcome == "finished"i',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (event.Outcome.toLowerCase() === 'finished') selected.push(event);
      }
      return selected;
    },
    matches: 37_733,
  },
  {
    expression: 'Begun >= 2026-06-01',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (Date.parse(event.Begun) >= june) selected.push(event);
      }
      return selected;
    },
    matches: 58_523,
  },
  {
    expression: 'Seen >= 2026-06-01',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (event.Seen >= juneInNanoseconds) selected.push(event);
      }
      return selected;
    },
    matches: 58_721,
  },
  {
    expression: 'Weight < @Quota',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (event.Weight < event.Quota) selected.push(event);
      }
      return selected;
    },
    matches: 49_384,
  },
  {
    expression: 'Owner == @Keeper',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (event.Owner === event.ColumnCache) selected.push(event);
      }
      return selected;
    },
    matches: 38_742,
  },
  {
    expression: 'len(Labels) > 2',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        if (event.Labels.length > 2) selected.push(event);
      }
      return selected;
    },
    matches: 25_475,
  },
  {
    expression: 'len(Title) > 18',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        let count = 0;
        const title = event.Title;
        for (let at = 0; at < title.length; at += (title.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
        if (count > 18) selected.push(event);
      }
      return selected;
    },
    matches: 46_183,
  },
  {
    expression: 'any Steps as s { s.Begun >= 2026-11-01 }',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        for (const step of event.Steps) {
          if (Date.parse(step.Begun) < november) continue;
          selected.push(event);
          break;
        }
      }
      return selected;
    },
    matches: 29_886,
  },
  {
    expression: 'any Steps as s { s.Begun > @s.Due }',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        for (const step of event.Steps) {
          if (Date.parse(step.Begun) <= Date.parse(step.Due)) continue;
          selected.push(event);
          break;
        }
      }
      return selected;
    },
    matches: 46_121,
  },
  {
    expression: 'any Steps as s { s.Name == @s.Next }',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        for (const step of event.Steps) {
          if (step.Name !== step.Next) continue;
          selected.push(event);
          break;
        }
      }
      return selected;
    },
    matches: 18_622,
  },
  {
    expression: 'any Steps as s { s.Code > @s.Limit }',
    byHand: (events) => {
      const selected: Event[] = [];
      for (let index = 0; index < events.length; index += 1) {
        const event = events[index] as Event;
        for (const step of event.Steps) {
          if (step.Code <= step.Limit) continue;
          selected.push(event);
          break;
        }
      }
      return selected;
    },
    matches: 62_217,
  },
];
