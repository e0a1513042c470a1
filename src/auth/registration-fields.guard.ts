import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { FieldProblem, platformErrors, ProblemError } from '../platform/errors';
import { checkInput } from '../platform/input';
import { SettingsReader } from '../platform/settings';
import { isJsonObject } from '../platform/text';
import { ContactNormalizerService, PasswordPolicyService } from '../users';
import { emailCodeRequired, phoneCodeRequired } from './auth.settings';
import { missingContacts } from './contacts.service';
import { RegisterDto } from './dto/register.dto';

/**
 * Reports every invalid field of a registration at once: those that break the body's rules and those that break
 * settings. Runs before the body's validation, which would throw first and report only its own fields.
 */
@Injectable()
export class RegistrationFieldsGuard implements CanActivate {
  constructor(
    private readonly settings: SettingsReader,
    private readonly normalizer: ContactNormalizerService,
    private readonly policy: PasswordPolicyService,
  ) {}

  /** Throws `validation_failed`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<{ body: unknown }>();
    if (!isJsonObject(body)) return true;
    const bySettings = await this.problemsBySettings(body);
    const byRules = await problemsOf(async () => checkInput(RegisterDto, body));
    const ruled = new Set(byRules.map(({ field }) => field));
    const fields = [...byRules, ...bySettings.filter(({ field }) => !ruled.has(field))];
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
    return true;
  }

  private async problemsBySettings(body: Readonly<Record<string, unknown>>): Promise<FieldProblem[]> {
    const required = {
      email: await this.settings.get(emailCodeRequired),
      phone: await this.settings.get(phoneCodeRequired),
    };
    const { username, password, phone } = body;
    return [
      ...(await problemsOf(() => this.checkPassword(password, username))),
      ...missingContacts(body, required),
      ...(typeof phone === 'string' ? await problemsOf(() => this.normalizer.read({ phone })) : []),
    ];
  }

  private async checkPassword(password: unknown, username: unknown): Promise<void> {
    if (typeof password !== 'string') return;
    await this.policy.check(password, typeof username === 'string' ? username : '', 'password');
  }
}

/** The fields that the check rejects. Other errors are ignored, because the request throws them again. */
async function problemsOf(work: () => Promise<unknown>): Promise<readonly FieldProblem[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.code === platformErrors.validationFailed.code ? error.fields : [];
  }
}
