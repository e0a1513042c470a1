import { ApiProperty } from '@nestjs/swagger';
import { ProviderView } from '../identity-provider.registry';

/** A provider as a login page offers it. */
export class OAuthProviderInfoDto {
  @ApiProperty({ example: 'github' }) name: string;
  @ApiProperty({ example: 'GitHub' }) label: string;
  @ApiProperty({ description: 'The kind of provider, for example to show its mark', example: 'github' })
  template: string;
  @ApiProperty({ description: 'Empty without one', example: '/assets/github.svg' }) icon: string;
  @ApiProperty({ example: '/api/oauth/login/github' }) login_url: string;
}

export const oauthProviderInfoDto = (
  { name, label, template, icon }: Pick<ProviderView, 'name' | 'label' | 'template' | 'icon'>,
  loginUrl: string,
): OAuthProviderInfoDto => ({ name, label, template, icon: icon ?? '', login_url: loginUrl });
