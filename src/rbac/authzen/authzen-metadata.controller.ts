import { Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { AuthzenRoute, IssuerService, RouteRegistry } from '../../platform/http';
import { Public, ServiceController } from '../../platform/access';

@ApiSchema({ description: 'The metadata of the policy decision point (AuthZEN §9.1)' })
class AuthzenMetadataDto {
  @ApiProperty({ description: 'Its identifier, `PUBLIC_URL`', example: 'https://id.example.com' })
  policy_decision_point: string;

  @ApiProperty({ description: 'URL of one evaluation', example: 'https://id.example.com/access/v1/evaluation' })
  access_evaluation_endpoint: string;

  @ApiProperty({ description: 'URL of several evaluations', example: 'https://id.example.com/access/v1/evaluations' })
  access_evaluations_endpoint: string;
}

/** Publishes the endpoints of the policy decision point (AuthZEN §9.2). There are none for searches. */
@ApiTags('AuthZEN')
@AuthzenRoute
@ServiceController('.well-known')
export class AuthzenMetadataController {
  constructor(
    private readonly issuer: IssuerService,
    private readonly routes: RouteRegistry,
  ) {}

  @Get('authzen-configuration')
  @Public()
  @Header('cache-control', 'public, max-age=300')
  @ApiOperation({
    summary: 'Get the AuthZEN metadata',
    description: 'OpenID AuthZEN Authorization API 1.0, §9.',
  })
  @ApiOkResponse({ type: AuthzenMetadataDto })
  metadata(): AuthzenMetadataDto {
    const { url } = this.issuer;
    return {
      policy_decision_point: url,
      access_evaluation_endpoint: `${url}${this.routes.addressOf('/access/v1/evaluation')}`,
      access_evaluations_endpoint: `${url}${this.routes.addressOf('/access/v1/evaluations')}`,
    };
  }
}
