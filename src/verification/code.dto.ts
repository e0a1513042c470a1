import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, TextField } from '../platform/input';
import type { CodePurpose, MessageChannel } from '../messaging';
import type { SendCodeResult } from './codes.service';
import { codePurposes, messageChannels } from '../messaging';

export class CodeRequestDto {
  @ChoiceField({ description: 'What the code is to be good for; it is good for nothing else', options: codePurposes })
  purpose: CodePurpose;

  @ChoiceField({ description: 'How it is to arrive', options: messageChannels })
  channel: MessageChannel;

  @TextField({
    description: 'One e-mail address, or one phone number: E.164, or a national one of setting `sms.default_region`',
    min: 1,
    max: 254,
    example: 'ann@example.com',
  })
  target: string;
}

@ApiSchema({ description: 'The request was taken; how long a code stays good, and when the next may be asked for' })
export class CodeSentDto {
  @ApiProperty({ type: 'integer', description: 'Seconds the code stays good', example: 300 }) expires_in: number;
  @ApiProperty({ type: 'integer', description: 'Seconds until the next one may be asked for', example: 60 })
  resend_after: number;
}

export const codeSentDto = ({ expiresIn, resendAfter }: SendCodeResult): CodeSentDto => ({
  expires_in: expiresIn,
  resend_after: resendAfter,
});
