import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** As the service's document has it: an object whose fields are WebAuthn's to name, so that it repeats none of them. */
type Opaque = Readonly<Record<string, unknown>>;

/** What a passkey is to prove (WebAuthn §5.5). */
export const requestOptionsOf = (options: Opaque): PublicKeyCredentialRequestOptionsJSON =>
  options as unknown as PublicKeyCredentialRequestOptionsJSON;

/** What passkey is to be made (WebAuthn §5.4). */
export const creationOptionsOf = (options: Opaque): PublicKeyCredentialCreationOptionsJSON =>
  options as unknown as PublicKeyCredentialCreationOptionsJSON;
