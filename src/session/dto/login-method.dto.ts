import { ApiProperty } from '@nestjs/swagger';
import { BooleanField } from '../../platform/input';

export class LoginMethodDto {
  @ApiProperty({ example: 'password' }) type: string;
  @ApiProperty({ description: 'Whether it is switched on' }) enabled: boolean;
  @ApiProperty({ description: 'Whether what it needs is set up' }) configured: boolean;
}

export class LoginMethodListDto {
  @ApiProperty({ type: [LoginMethodDto] }) items: LoginMethodDto[];
}

export class UpdateLoginMethodDto {
  @BooleanField({ description: 'false: nobody can log in this way' })
  enabled: boolean;
}
