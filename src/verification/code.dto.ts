import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, TextField } from '../platform/http/input';
import type { CodePurpose, MessageChannel } from '../messaging';
import type { SendCodeResult } from './codes.service';
import { codePurposes, messageChannels } from '../messaging';

export class CodeRequestDto {
  @ChoiceField({ description: 'The only purpose that the code is valid for', options: codePurposes })
  purpose: CodePurpose;

  @ChoiceField({ description: 'The channel to send the code through', options: messageChannels })
  channel: MessageChannel;

  @TextField({
    description:
      'One e-mail address or phone number, in E.164 or in the national form of the setting `sms.default_region`',
    min: 1,
    max: 254,
    typed: true,
    example: 'ann@example.com',
  })
  target: string;
}

@ApiSchema({
  description: 'The request was accepted. Has the lifetime of the code and the time until the next request',
})
export class CodeSentDto {
  @ApiProperty({ type: 'integer', description: 'Lifetime of the code in seconds', example: 300 }) expires_in: number;
  @ApiProperty({ type: 'integer', description: 'Seconds until another code can be requested', example: 60 })
  resend_after: number;
}

export const codeSentDto = ({ expiresIn, resendAfter }: SendCodeResult): CodeSentDto => ({
  expires_in: expiresIn,
  resend_after: resendAfter,
});
