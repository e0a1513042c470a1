import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { RegisterDto } from './dto/register.dto';
import { RegistrationFieldsService } from './registration-fields.service';

/** Runs before the body's validation, which would throw first and report only the rules of the body. */
@Injectable()
export class RegistrationFieldsGuard implements CanActivate {
  constructor(private readonly fields: RegistrationFieldsService) {}

  /** Throws `validation_failed`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<{ body: unknown }>();
    await this.fields.require(RegisterDto, body);
    return true;
  }
}
