import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../platform/input';

@ApiSchema({ description: 'The way to log in, and whether it is open' })
export class LoginMethodDto {
  @ApiProperty({ example: 'password' }) type: string;
  @ApiProperty({ description: 'Whether it is switched on' }) enabled: boolean;
  @ApiProperty({ description: 'Whether what it needs is set up' }) configured: boolean;
}

@ApiSchema({ description: 'The ways to log in, and whether they are open' })
export class LoginMethodListDto {
  @ApiProperty({ type: [LoginMethodDto] }) items: LoginMethodDto[];
}

export class UpdateLoginMethodDto {
  @BooleanField({ description: 'false: nobody can log in this way' })
  enabled: boolean;
}
