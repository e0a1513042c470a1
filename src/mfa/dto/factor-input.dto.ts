import { ObjectField, TextField } from '../../platform/http/input';
import { checkNickname } from '../../users';

/** Part of the description of routes that change second factors. */
export const PROOF = 'Needs a recent login, including the second factor if the user has one.';

/** Six digits from an app, or a recovery code with or without hyphens. */
export const SecondFactorCodeField = (options: { optional?: boolean } = {}): PropertyDecorator =>
  TextField({
    description: 'A received code, a code from the app, or a recovery code',
    min: 1,
    max: 40,
    example: '012345',
    ...options,
  });

/** A shortened browser response. For a new passkey, `attestationObject` replaces the last two members. */
const CREDENTIAL = {
  id: 'AQIDBAUGBwg',
  rawId: 'AQIDBAUGBwg',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBlIjoi…', authenticatorData: 'SZYN5YgO…', signature: 'MEUCIQDx…' },
  clientExtensionResults: {},
};

export const PasskeyResponseField = (options: { optional?: boolean } = {}): PropertyDecorator =>
  ObjectField({
    description: "The browser's credential as `toJSON()` returns it (WebAuthn §5.1)",
    example: CREDENTIAL,
    ...options,
  });

const PasskeyNameField = (): PropertyDecorator =>
  TextField({ description: 'A name to recognize it by', min: 1, max: 50, check: checkNickname, example: 'My phone' });

export class ConfirmTotpDto {
  @SecondFactorCodeField() code: string;
}

export class RegisterPasskeyDto {
  @PasskeyNameField() name: string;
  @PasskeyResponseField() response: Record<string, unknown>;
}

export class RenamePasskeyDto {
  @PasskeyNameField() name: string;
}
