import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'What the registration of a service changed, and what its guard needs to know' })
export class CatalogueRegistrationDto {
  @ApiProperty({ description: 'The scope of its permissions', example: 'billing' }) scope: string;
  @ApiProperty({ description: 'Name of the access cookie', example: 'iam_access' }) access_cookie: string;
  @ApiProperty({ type: [String], example: ['invoice:read'] }) added: readonly string[];
  @ApiProperty({ type: [String], example: ['invoice:publish'] }) updated: readonly string[];
}
