import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '../platform/http/input';

export class TestMessageTemplateDto {
  @TextField({
    description: 'An e-mail address or a phone number',
    min: 1,
    max: 254,
    typed: true,
    example: 'ann@example.com',
  })
  target: string;
}

@ApiSchema({ description: 'The outcome of the sample' })
export class TestMessageDto {
  @ApiProperty({
    enum: ['accepted', 'unknown'],
    description: '`unknown`: the channel did not respond, and may have sent it',
  })
  outcome: string;
}
