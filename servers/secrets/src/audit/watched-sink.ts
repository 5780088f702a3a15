import { createCondition, type Condition, type ConditionOptions } from '../storage/condition.js';
import { auditFailed, auditLine, type AuditSink } from './audit-log.js';

/** An audit log whose failures are answers, with what is known of its condition. */
export function watchSink(
  sink: AuditSink,
  options: Pick<ConditionOptions, 'clock' | 'logger'>,
): { readonly sink: AuditSink; readonly condition: Condition } {
  const condition = createCondition({
    ...options,
    name: 'the audit log',
    space: () => sink.space(),
    probe: () => sink.write(auditLine(options.clock.now(), 'probe', {})),
  });
  const watched: AuditSink = {
    reopen: () => sink.reopen(),
    space: () => sink.space(),
    close: () => sink.close(),
    async write(lines) {
      try {
        await condition.run(() => sink.write(lines));
      } catch {
        throw auditFailed();
      }
    },
  };
  return { sink: watched, condition };
}
