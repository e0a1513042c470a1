import type { IncomingHttpHeaders } from 'node:http';
import { LOOPBACK } from '../../../platform/http';
import { isLoopbackName } from '../addresses';

const FORWARDING =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-original-.*|true-client-ip|cf-connecting-ip)$/;
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
  if (!LOOPBACK.trusts(peer) || !namesLoopback(headers.host)) return false;
  return !Object.keys(headers).some((name) => FORWARDING.test(name));
}
