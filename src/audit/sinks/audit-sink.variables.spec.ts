import { readEnvironment } from '../../platform/config';
import { AuditSinkConfig, auditSinkVariables } from './audit-sink.variables';

const sinksOf = (source: Record<string, string>): readonly AuditSinkConfig[] =>
  readEnvironment(source, [auditSinkVariables]).get(auditSinkVariables);

describe('the variables of the audit log', () => {
  it('name at most one receiver of each kind', () => {
    expect(sinksOf({})).toEqual([]);
    const source = {
      AUDIT_NDJSON_URL: 'http://127.0.0.1:8000/in',
      AUDIT_OTLP_URL: 'https://collector.internal/v1/logs',
      AUDIT_OTLP_AUTHORIZATION: 'Bearer a b',
      AUDIT_SYSLOG_URL: 'tls://siem.internal',
    };
    expect(sinksOf(source)).toEqual([
      { kind: 'ndjson', url: 'http://127.0.0.1:8000/in', authorization: undefined, ca: undefined },
      { kind: 'otlp', url: 'https://collector.internal/v1/logs', authorization: 'Bearer a b', ca: undefined },
      { kind: 'syslog', url: 'tls://siem.internal', authorization: undefined, ca: undefined },
    ]);
  });

  it.each([
    ['a receiver without encryption', 'AUDIT_NDJSON_URL', 'http://siem.internal/'],
    ['a password in the URL of a collector', 'AUDIT_OTLP_URL', 'https://a:b@siem.internal/'],
    ['syslog without TLS', 'AUDIT_SYSLOG_URL', 'udp://siem.internal:514'],
    ['a path in the address of syslog', 'AUDIT_SYSLOG_URL', 'tls://siem.internal/x'],
    ['a path in place of certificates', 'AUDIT_SINK_CA', '/nowhere/ca.pem'],
  ])('reject %s', (_, name, value) => {
    expect(() => sinksOf({ [name]: value })).toThrow(new RegExp(`^${name} .*; allowed: .+$`));
  });

  it('hide secrets in errors', () => {
    const secret = 'canary\u0007secret';
    expect(() => sinksOf({ AUDIT_OTLP_AUTHORIZATION: secret })).toThrow(
      /^AUDIT_OTLP_AUTHORIZATION is \(value hidden\)/,
    );
  });
});
