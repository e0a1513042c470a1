import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { OrganizationOverlay } from '../organization-settings.service';

/** The names of pages, not of the organization: strangers see them. */
@ApiSchema({ description: "What an organization shows and accepts at a login: its values over the service's" })
export class OrganizationLookDto {
  @ApiProperty({ description: 'The displayed name', example: 'Acme' }) name: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://acme.example.com/logo.svg' }) logo: string;
  @ApiProperty({ example: '#2f6fed' }) primary_color: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://acme.example.com/terms' }) terms: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://acme.example.com/privacy' }) privacy: string;
  @ApiProperty({ description: 'Address; empty: none', example: 'https://acme.example.com/support' }) support: string;
  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Accepted login methods: types of `GET /api/info`, or `oauth:<provider>`. null: all',
    example: ['passkey', 'oauth:acme'],
  })
  login_methods: readonly string[] | null;
}

export const organizationLookDto = ({ branding, loginMethods }: OrganizationOverlay): OrganizationLookDto => ({
  ...branding,
  login_methods: loginMethods ?? null,
});
