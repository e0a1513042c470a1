import { AuditEventDto } from '../log/dto/audit.dto';

type Attribute = { readonly key: string; readonly value: { readonly stringValue: string } };

/** Severity numbers of OpenTelemetry's log data model. */
const INFO = { severityNumber: 9, severityText: 'INFO' };
const WARN = { severityNumber: 13, severityText: 'WARN' };

/** The body of an export of logs (OTLP/HTTP, JSON). The body of each record is the event as JSON. */
export function otlpLogs(events: readonly AuditEventDto[], hostname: string): string {
  const resource = { attributes: attributesOf({ 'service.name': 'castellan', 'host.name': hostname }) };
  const scopeLogs = [{ scope: { name: 'castellan.audit' }, logRecords: events.map(recordOf) }];
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] });
}

function recordOf(event: AuditEventDto): object {
  return {
    // In nanoseconds, as text: 64-bit numbers are texts in the JSON of Protocol Buffers.
    timeUnixNano: `${Date.parse(event.at)}000000`,
    ...(event.outcome === 'failure' ? WARN : INFO),
    eventName: `castellan.audit.${event.action}`,
    body: { stringValue: JSON.stringify(event) },
    attributes: attributesOf({
      'log.record.uid': event.id,
      'castellan.action': event.action,
      'castellan.outcome': event.outcome,
      'user.id': event.actor?.id,
      'user.name': event.actor?.username,
      'castellan.on_behalf_of': event.on_behalf_of?.id,
      'session.id': event.session_id,
      'client.address': event.ip,
      'user_agent.original': event.user_agent,
    }),
  };
}

const attributesOf = (values: Readonly<Record<string, string | null | undefined>>): Attribute[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: { stringValue: value } }],
  );

/**
 * Events that the collector says it dropped; undefined: the answer does not tell. The specification forbids to send them
 * again.
 */
export function rejectedRecords(answer: string): number | undefined {
  if (answer.trim() === '') return 0;
  try {
    const { partialSuccess } = JSON.parse(answer) as { partialSuccess?: { rejectedLogRecords?: unknown } };
    return Number(partialSuccess?.rejectedLogRecords ?? 0) || 0;
  } catch {
    return undefined;
  }
}
