import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'The account is deleted later' })
export class DeletionRequestDto {
  @ApiProperty({ format: 'date-time', description: 'When the account is deleted' }) deletion_due_at: string;
}
