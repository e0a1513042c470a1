import type Provider from 'oidc-provider';
import { Provider as Library } from '../core/library';
import { before } from '../core/patch-errors';
import { loginOf } from '../core/request';
import { fieldInUse, storeField } from './token-fields';

const FIELD = 'loginMethod';

/** A code or token with the way the user had logged in. */
interface LoginToken {
  [FIELD]?: string;
}

/** How the user of the code or refresh token in use had logged in. Undefined for those of a former version. */
export const loginMethodInUse = (): string | undefined => fieldInUse(FIELD);

/**
 * Keeps in codes and tokens how the user had logged in, because tokens outlive the session and an organization may limit the
 * login methods at any time.
 */
export function keepLoginMethod({ AuthorizationCode, RefreshToken, AccessToken }: Provider): void {
  for (const model of [AuthorizationCode, RefreshToken, AccessToken]) storeField(model, FIELD);
  before<LoginToken>(AuthorizationCode.prototype, 'save', (code) => {
    bind(code, Library.ctx && loginOf(Library.ctx.req)?.loginMethod);
  });
  for (const { prototype } of [RefreshToken, AccessToken]) {
    before<LoginToken>(prototype, 'save', (token) => {
      bind(token, loginMethodInUse());
    });
  }
}

function bind(token: LoginToken, method: string | undefined): void {
  if (method !== undefined) token[FIELD] = method;
}
