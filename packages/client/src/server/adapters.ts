import type { Authentication, BrowserRequest, CastellanServer } from './castellan-server';
import { type NodeResponse, sendTokens, UNCACHED } from './node-response';

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;
type NodeRequest = BrowserRequest & { readonly headers: HeaderRecord; castellan?: Authentication };

interface FastifyLikeReply {
  readonly raw: NodeResponse;
  header(name: string, value: string | readonly string[]): unknown;
}

interface HonoLikeContext {
  readonly req: { readonly raw: Request };
  set(key: 'castellan', value: Authentication): void;
  header(name: string, value: string, options?: { append?: boolean }): void;
}

/** Middleware for Express: sets `request.castellan`, and hands refreshed tokens on. */
export function expressAuthentication<R extends NodeRequest>(
  castellan: CastellanServer<R>,
): (request: R, response: NodeResponse, next: (error?: unknown) => void) => void {
  return (request, response, next) => {
    castellan.authenticate(request).then(
      (authentication) => {
        request.castellan = authentication;
        if (authentication.setCookies.length > 0) {
          sendTokens(response, authentication.setCookies);
          response.appendHeader('set-cookie', authentication.setCookies);
        }
        next();
      },
      (error: unknown) => {
        next(error);
      },
    );
  };
}

/** `onRequest` hook for Fastify: sets `request.castellan`, and hands refreshed tokens on. */
export function fastifyAuthentication<R extends NodeRequest>(
  castellan: CastellanServer<R>,
): (request: R, reply: FastifyLikeReply) => Promise<void> {
  return async (request, reply) => {
    const authentication = await castellan.authenticate(request);
    request.castellan = authentication;
    if (authentication.setCookies.length === 0) return;
    sendTokens(reply.raw, authentication.setCookies);
    void reply.header('set-cookie', authentication.setCookies);
  };
}

/** Middleware for Hono: sets `castellan` in the context, and hands refreshed tokens on. */
export function honoAuthentication(
  castellan: CastellanServer,
): (context: HonoLikeContext, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    const authentication = await castellan.authenticate(context.req.raw);
    context.set('castellan', authentication);
    await next();
    // Afterwards, since a `Response` of the handler replaces the headers from before.
    if (authentication.setCookies.length > 0) context.header(...UNCACHED);
    for (const line of authentication.setCookies) context.header('set-cookie', line, { append: true });
  };
}

/** Headers of the request with the refreshed tokens: `NextResponse.next({ request: { headers } })`. */
export function requestHeaders(request: { readonly headers: Headers }, { cookie }: Authentication): Headers {
  const headers = new Headers(request.headers);
  headers.set('cookie', cookie);
  return headers;
}

/** Hands refreshed tokens on in a Web `Response`, as that of Next.js. Returns the same response. */
export function handOn<R extends Response>(response: R, { setCookies }: Authentication): R {
  if (setCookies.length > 0) response.headers.set(...UNCACHED);
  for (const line of setCookies) response.headers.append('set-cookie', line);
  return response;
}
