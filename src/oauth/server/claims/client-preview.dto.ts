import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdField, TextField, TextListField } from '../../../platform/http/input';

const MAX_SCOPES = 100;
const MAX_ORGANIZATION = 50;

export class PreviewClientDto {
  @IdField({ description: 'The user whose tokens are previewed' }) user_id: string;

  @TextListField({
    description: 'The granted scopes, of those of the client. Default: all',
    max: MAX_SCOPES,
    entry: { max: 152 },
    optional: true,
    example: ['openid', 'profile', 'permissions'],
  })
  scopes?: string[];

  @TextField({
    description: 'Slug or id of the organization that an authorization request names. Default: none',
    min: 1,
    max: MAX_ORGANIZATION,
    optional: true,
    example: 'acme',
  })
  organization?: string;
}

class PreviewedClaimDto {
  @ApiProperty({ example: 'groups' }) name: string;

  @ApiProperty({
    description: 'As in the token',
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { type: 'string' } },
      { type: 'object' },
    ],
    example: ['grafana-editor'],
  })
  value: unknown;

  @ApiProperty({ description: "In the caller's language", example: 'Roles of the user that begin with grafana-' })
  reason: string;
}

@ApiSchema({ description: 'Whether the user may use the client, and the claims. Without claims if not' })
export class ClientPreviewDto {
  @ApiProperty() allowed: boolean;
  @ApiProperty({ description: "In the caller's language", example: 'Has the role grafana-editor.' }) reason: string;
  @ApiProperty({ type: [PreviewedClaimDto] }) id_token: PreviewedClaimDto[];
  @ApiProperty({ type: [PreviewedClaimDto] }) userinfo: PreviewedClaimDto[];
  @ApiProperty({ type: [PreviewedClaimDto], description: 'Of an access token for a `resource`' })
  access_token: PreviewedClaimDto[];
}
