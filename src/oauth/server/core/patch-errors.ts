import type Provider from 'oidc-provider';
import { errors, Provider as Library } from './library';

interface SingleUseToken {
  readonly resourceIndicators: ReadonlySet<string>;
  readonly dpopJkt?: string;
}

interface Request {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly entities: Readonly<Record<string, { readonly scope?: string } | undefined>>;
}

type Method<Self> = (this: Self, ...parameters: unknown[]) => Promise<unknown>;

/** Fixes checks that the library makes too late, with another error code than the RFC, or not at all. */
export function patchErrors(provider: Provider): void {
  const { AccessToken, AuthorizationCode, Client, ClientCredentials, RefreshToken, ReplayDetection } = provider;
  before<SingleUseToken>(AuthorizationCode.prototype, 'consume', requireUsable);
  before<SingleUseToken>(RefreshToken.prototype, 'consume', requireUsable);
  before<{ scope?: string }>(ClientCredentials.prototype, 'save', ({ scope }) => {
    if (!scope && requestNow()?.params?.['scope'] !== undefined) throw nothingLeft();
  });
  before<{ scope?: string }>(AccessToken.prototype, 'save', ({ scope }) => {
    if (!scope && isCodeForNothing()) throw nothingLeft();
  });
  Object.assign(Client.prototype, {
    /** RFC 6749 §4.1.2.1. */
    responseTypeAllowed(this: { readonly responseTypes: readonly string[] }, type: string): boolean {
      if (this.responseTypes.includes(type)) return true;
      throw new errors.UnauthorizedClient('requested response_type is not allowed for this client');
    },
  });
  rejectReplays(ReplayDetection);
}

/**
 * RFC 9449 §5 and §7.1. Only DPoP proofs are checked for replay, because clients sign neither requests nor assertions.
 */
function rejectReplays(model: object): void {
  const replays = model as { unique: Method<object> };
  const { unique } = replays;
  replays.unique = async function (...parameters) {
    if (await unique.apply(this, parameters)) return true;
    throw proofUsed();
  };
}

export const proofUsed = (): Error => new errors.InvalidDpopProof('DPoP proof was already used');

/** RFC 6749 §3.3 and §5.1: a response without a scope would mean that all requested scopes are granted. */
export const nothingLeft = (): Error =>
  new errors.CustomOIDCProviderError('invalid_scope', 'none of the requested scopes is granted');

/** Runs a check before a method of the library's models. */
export function before<Self extends object>(
  prototype: object,
  name: string,
  check: (self: Self) => void | Promise<void>,
): void {
  const methods = prototype as Record<string, Method<Self>>;
  const method = methods[name];
  if (!method) throw new Error(`The library's models no longer have the method ${name}`);
  methods[name] = async function (...parameters) {
    await check(this);
    return method.apply(this, parameters);
  };
}

/**
 * Checks for correctable mistakes before the token is consumed, because the retry would otherwise count as a replay.
 */
function requireUsable({ resourceIndicators, dpopJkt }: SingleUseToken): void {
  const resource = requestNow()?.params?.['resource'];
  if (resource !== undefined && !resourceIndicators.has(resource as string)) throw new errors.InvalidTarget();
  if (dpopJkt !== undefined && !Library.ctx?.get('dpop')) throw new errors.InvalidDpopProof('missing DPoP proof JWT');
}

/**
 * Only for codes. A refresh without scopes is accepted, because an error would consume the token, and lost permissions
 * may be granted again.
 */
function isCodeForNothing(): boolean {
  const code = requestNow()?.entities['AuthorizationCode'];
  return code !== undefined && !(code.scope ?? '').split(' ').includes('openid');
}

const requestNow = (): Request | undefined => Library.ctx?.oidc as unknown as Request | undefined;
