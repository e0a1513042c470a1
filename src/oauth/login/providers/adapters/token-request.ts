import { ConfiguredProvider } from '../configured-provider';
import { CodeExchange, ProviderContext, TokenAnswer, tokenAnswer } from '../oauth-provider-adapter';
import { ProviderField } from '../preset';
import { Claims, parseClaims, rejectStatedError } from '../provider-calls';

/** The authentication method of a confidential client (OpenID Connect Core §9). */
export const CLIENT_AUTH: ProviderField = {
  name: 'client_auth',
  required: false,
  pattern: /^client_secret_(basic|post)$/,
};

const FORM = /^\s*[\w.-]+=/;

/** The token request of RFC 6749 §4.1.3 with the secret in the header, or without one for a public client. */
export async function exchangeByHeader(
  { provider, endpoints, calls }: ProviderContext,
  { code, redirectUri, codeVerifier }: CodeExchange,
): Promise<TokenAnswer> {
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
  };
  const answer =
    provider.clientSecret === ''
      ? await calls.sendForm('token', endpoints.tokenUrl, { ...fields, client_id: provider.clientId })
      : await calls.sendForm('token', endpoints.tokenUrl, fields, { authorization: basic(provider) });
  const values = tokenValues(answer.text);
  rejectStatedError(values);
  return tokenAnswer(values);
}

/** JSON (RFC 6749 §5.1), or a form, as some providers send. */
const tokenValues = (text: string): Claims =>
  FORM.test(text) ? Object.fromEntries(new URLSearchParams(text.trim())) : parseClaims(text, 'token');

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function basic({ clientId, clientSecret }: ConfiguredProvider): string {
  const encoded = [clientId, clientSecret].map((part) => new URLSearchParams({ '': part }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':'), 'utf8').toString('base64')}`;
}
