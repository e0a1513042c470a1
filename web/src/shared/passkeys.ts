import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** The OpenAPI document does not repeat the fields that WebAuthn defines. */
type Opaque = Readonly<Record<string, unknown>>;

/** Options to authenticate with a passkey (WebAuthn §5.5). */
export const requestOptionsOf = (options: Opaque): PublicKeyCredentialRequestOptionsJSON =>
  options as unknown as PublicKeyCredentialRequestOptionsJSON;

/** Options to create a passkey (WebAuthn §5.4). */
export const creationOptionsOf = (options: Opaque): PublicKeyCredentialCreationOptionsJSON =>
  options as unknown as PublicKeyCredentialCreationOptionsJSON;
