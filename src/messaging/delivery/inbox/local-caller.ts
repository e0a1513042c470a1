import type { IncomingHttpHeaders } from 'node:http';
import { isForwarded, LOOPBACK } from '../../../platform/http';
import { isLoopbackName } from '../addresses';

const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/;

function namesLoopback(host = ''): boolean {
  const name = HOST.exec(host)?.[1] ?? '';
  return isLoopbackName(name.replace(/^\[(.*)\]$/, '$1'));
}

/**
 * Whether the request comes directly from this machine. Excludes proxied requests, and foreign pages whose host name
 * resolves to this machine (DNS rebinding), which the `Host` header reveals.
 */
export function isLocalCaller(peer: string | undefined, headers: IncomingHttpHeaders): boolean {
  return LOOPBACK.trusts(peer) && namesLoopback(headers.host) && !isForwarded(headers);
}
