import { ObjectField, TextField } from '../../platform/input';
import { checkNickname } from '../../users';

/** In the description of a route that changes the second factors. */
export const PROOF = 'Needs a recent login, with the second factor where there is one.';

/** Six digits of an app, or a recovery code with or without its hyphens. */
export const SecondFactorCodeField = (options: { optional?: boolean } = {}): PropertyDecorator =>
  TextField({
    description: 'The code, as it was received, shown by the app, or written down',
    min: 1,
    max: 40,
    example: '012345',
    ...options,
  });

/** What a browser gives, shortened; of a new passkey `attestationObject` takes the place of the last two. */
const CREDENTIAL = {
  id: 'AQIDBAUGBwg',
  rawId: 'AQIDBAUGBwg',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBlIjoi…', authenticatorData: 'SZYN5YgO…', signature: 'MEUCIQDx…' },
  clientExtensionResults: {},
};

export const PasskeyResponseField = (options: { optional?: boolean } = {}): PropertyDecorator =>
  ObjectField({
    description: "The browser's answer, as `toJSON()` of its credential gives it (WebAuthn §5.1)",
    example: CREDENTIAL,
    ...options,
  });

const PasskeyNameField = (): PropertyDecorator =>
  TextField({ description: 'To know it again', min: 1, max: 50, check: checkNickname, example: 'My phone' });

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
