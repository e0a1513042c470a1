import { defineAct } from '../audit';
import type { CodePurpose, MessageChannel } from '../messaging';

export const codeActs = {
  send: defineAct<{ after: { readonly purpose: CodePurpose; readonly channel: MessageChannel; readonly to: string } }>(
    'code.send',
  ),
};
