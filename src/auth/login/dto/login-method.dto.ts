import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../../platform/http/input';

@ApiSchema({ description: 'A login method with its state' })
export class LoginMethodDto {
  @ApiProperty({ example: 'password' }) type: string;
  @ApiProperty({ description: 'Whether it is enabled' }) enabled: boolean;
  @ApiProperty({ description: 'Whether its requirements are configured' }) configured: boolean;
}

@ApiSchema({ description: 'The login methods with their states' })
export class LoginMethodListDto {
  @ApiProperty({ type: [LoginMethodDto] }) items: LoginMethodDto[];
}

export class UpdateLoginMethodDto {
  @BooleanField({ description: 'Whether users can log in with it' })
  enabled: boolean;
}
