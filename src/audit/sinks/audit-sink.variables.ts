import { Check, isLoopback, VariableGroup, VariableReader } from '../../platform/config';

export const auditSinkKinds = ['ndjson', 'otlp', 'syslog'] as const;
export type AuditSinkKind = (typeof auditSinkKinds)[number];

/** A server that receives the audit log. */
export interface AuditSinkConfig {
  readonly kind: AuditSinkKind;
  readonly url: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Certificates in PEM that sign the server's one; undefined: those of Node.js. */
  readonly ca: string | undefined;
}

const FORM = 'https://host/path, or http to a loopback address';
const SYSLOG_FORM = 'tls://host:port';

/** The audit log names users and addresses, so it leaves the machine encrypted only. */
const collectorUrl: Check = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url) return 'not a URL';
  if (url.username !== '' || url.password !== '') return 'a user or password is in it';
  if (url.protocol === 'https:') return undefined;
  return url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')) ? undefined : 'not encrypted';
};

const syslogUrl: Check = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'tls:' || url.hostname === '') return 'not of that form';
  const isBare = ['', '/'].includes(url.pathname) && url.search === '' && url.username === '' && url.hash === '';
  return isBare ? undefined : 'more than a host and a port is in it';
};

const headerValue: Check = (value) => (/^[\x20-\x7e]+$/.test(value) ? undefined : 'not printable ASCII');

const certificates: Check = (value) =>
  value.includes('-----BEGIN CERTIFICATE-----') ? undefined : 'no certificate is in it';

function sinksOf(read: VariableReader): AuditSinkConfig[] {
  const ca = read.checked('AUDIT_SINK_CA', 'certificates in PEM', certificates);
  const http = (kind: 'ndjson' | 'otlp', name: string): AuditSinkConfig[] => {
    const url = read.checked(`${name}_URL`, FORM, collectorUrl);
    const authorization = read.checked(`${name}_AUTHORIZATION`, 'such as Bearer …', headerValue);
    return url === undefined ? [] : [{ kind, url, authorization, ca }];
  };
  const syslog = read.checked('AUDIT_SYSLOG_URL', SYSLOG_FORM, syslogUrl);
  return [
    ...http('ndjson', 'AUDIT_NDJSON'),
    ...http('otlp', 'AUDIT_OTLP'),
    ...(syslog === undefined ? [] : [{ kind: 'syslog', url: syslog, authorization: undefined, ca } as const]),
  ];
}

/** Servers that receive the audit log, at most one of each kind. */
export const auditSinkVariables: VariableGroup<readonly AuditSinkConfig[]> = {
  secrets: ['AUDIT_NDJSON_AUTHORIZATION', 'AUDIT_OTLP_AUTHORIZATION', 'AUDIT_SINK_CA'],
  read: sinksOf,
};
