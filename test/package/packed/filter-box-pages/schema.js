import { defineSchema, t } from 'tamis';

export const schema = defineSchema({
  ID: t.string,
  Status: t.oneOf('running', 'dead', 'pending'),
  Priority: t.int,
  Tags: t.list(t.string),
});
