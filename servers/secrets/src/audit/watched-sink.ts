import { createWriteHealth, type WriteHealth, type WriteHealthOptions } from '../storage/write-health.js';
import { auditFailed, auditLine, type AuditSink } from './audit-log.js';

/** Audit log wrapper that turns failures into error responses and tracks health. */
export function watchSink(
  sink: AuditSink,
  options: Pick<WriteHealthOptions, 'clock' | 'logger'>,
): { readonly sink: AuditSink; readonly health: WriteHealth } {
  const health = createWriteHealth({
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
        await health.run(() => sink.write(lines));
      } catch {
        throw auditFailed();
      }
    },
  };
  return { sink: watched, health };
}
