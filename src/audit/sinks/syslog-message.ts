import { AuditEventDto } from '../log/dto/audit.dto';

/** "log audit" (RFC 5424 §6.2.1). */
const FACILITY = 13;
const SEVERITIES = { success: 6, failure: 4 } as const;
const MAX_HOSTNAME = 255;
const MAX_MESSAGE_ID = 32;

/** A message of syslog (RFC 5424) with its length in front (RFC 5425 §4.3). The text is the event as JSON in UTF-8. */
export function syslogFrame(event: AuditEventDto, hostname: string): string {
  const severity = event.outcome === 'failure' ? SEVERITIES.failure : SEVERITIES.success;
  const header = [
    `<${FACILITY * 8 + severity}>1`,
    event.at,
    fieldOf(hostname, MAX_HOSTNAME),
    'castellan',
    '-',
    fieldOf(event.action, MAX_MESSAGE_ID),
    '-',
  ];
  const message = `${header.join(' ')} ${JSON.stringify(event)}`;
  return `${Buffer.byteLength(message)} ${message}`;
}

/** Printable ASCII without spaces (RFC 5424 §6), or the nil value. */
const fieldOf = (text: string, max: number): string => text.replace(/[^\x21-\x7e]/g, '_').slice(0, max) || '-';
