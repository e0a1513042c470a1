import { Injectable } from '@nestjs/common';
import { FieldProblem, platformErrors, ProblemError } from '../../platform/errors';
import { checkInput } from '../../platform/http/input';
import { SettingsReader } from '../../platform/settings';
import { isJsonObject } from '../../platform/util';
import { ContactNormalizerService, PasswordPolicyService, TermsService, usersErrors } from '../../users';
import { UserAttributesService } from '../../users/attributes';
import { missingContacts } from '../account/contacts.service';
import { chooseEmail, requiredBySettings, stillRequired, VouchedContacts } from './vouched-contacts';

type Body = Readonly<Record<string, unknown>>;

/** Reports all invalid fields of a registration at once: those that break the body's rules and those that break settings. */
@Injectable()
export class RegistrationFieldsService {
  constructor(
    private readonly settings: SettingsReader,
    private readonly normalizer: ContactNormalizerService,
    private readonly policy: PasswordPolicyService,
    private readonly terms: TermsService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * Throws `validation_failed`. A common password that is the only invalid field passes: the registration rejects it
   * with `password_too_common`.
   * @param type the class of the body
   * @param vouched contacts that are verified without a code
   */
  async require(type: new () => object, body: unknown, vouched: VouchedContacts = {}): Promise<void> {
    if (!isJsonObject(body)) return;
    const byRules = await problemsOf(async () => checkInput(type, body));
    const bySettings = await this.problemsBySettings(body, vouched);
    const ruled = new Set(byRules.map(({ field }) => field));
    const fields = [...byRules, ...bySettings.filter(({ field }) => !ruled.has(field))];
    if (fields.every(({ code }) => code === usersErrors.passwordTooCommon.code)) return;
    throw platformErrors.validationFailed({ fields });
  }

  private async problemsBySettings(body: Body, vouched: VouchedContacts): Promise<FieldProblem[]> {
    const { username, password, phone } = body;
    const { email, isProven } = chooseEmail(body['email'], vouched);
    const required = stillRequired(await requiredBySettings(this.settings), vouched, isProven);
    return [
      ...(await problemsOf(() => this.checkPassword(password, username))),
      ...missingContacts({ ...body, email }, required),
      ...(await this.terms.problemsOf(body['terms_accepted'])),
      ...(await this.attributes.problemsOfRegistration(isJsonObject(body['attributes']) ? body['attributes'] : {})),
      ...(typeof phone === 'string' ? await problemsOf(() => this.normalizer.read({ phone })) : []),
    ];
  }

  private async checkPassword(password: unknown, username: unknown): Promise<void> {
    if (typeof password !== 'string') return;
    await this.policy.check(password, typeof username === 'string' ? username : '', 'password');
  }
}

/** The fields that the check rejects. Other errors are ignored, because the registration throws them again. */
async function problemsOf(work: () => Promise<unknown>): Promise<readonly FieldProblem[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code } = usersErrors.passwordTooCommon;
    if (error.code === code) return [{ field: 'password', code }];
    return error.code === platformErrors.validationFailed.code ? error.fields : [];
  }
}
