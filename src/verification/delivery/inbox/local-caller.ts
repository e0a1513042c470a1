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
 * Whether somebody at this very machine asks: neither a proxy for others, nor a page elsewhere that has made its own name
 * point here (DNS rebinding), which the `Host` gives away.
 */
export function isLocalCaller(peer: string | undefined, headers: IncomingHttpHeaders): boolean {
  if (!LOOPBACK.trusts(peer) || !namesLoopback(headers.host)) return false;
  return !Object.keys(headers).some((name) => FORWARDING.test(name));
}
