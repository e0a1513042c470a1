import { Injectable } from '@nestjs/common';
import { InvitationTokensService, InvitationView } from '../../organizations/invitations';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { SettingsReader } from '../../platform/settings';
import { isJsonObject } from '../../platform/util';
import { ContactNormalizerService, normalizeEmail } from '../../users';
import { registrationEnabled } from '../account/auth.settings';
import { VouchedContacts } from './vouched-contacts';

type Body = Readonly<Record<string, unknown>>;

/** A registration with an invitation: the body with the invited contact, which counts as verified. */
export interface InvitedApplicant<T> {
  readonly token: string;
  readonly body: T;
  readonly vouched: VouchedContacts;
}

/** Recognizes registrations with an invitation. */
@Injectable()
export class InvitedApplicantsService {
  constructor(
    private readonly tokens: InvitationTokensService,
    private readonly normalizer: ContactNormalizerService,
    private readonly settings: SettingsReader,
  ) {}

  /**
   * Undefined for a registration without an invitation. Throws `not_found` if the token opens none, and `validation_failed`
   * if the body names another contact of that kind, or of the other kind while registration is closed.
   */
  async find<T>(body: T): Promise<InvitedApplicant<T> | undefined> {
    if (!isJsonObject(body)) return undefined;
    const token = body['invitation_token'];
    if (typeof token !== 'string') return undefined;
    const invitation = await this.tokens.find(token);
    const problems = [...(await this.contradictions(body, invitation)), ...(await this.additions(body, invitation))];
    if (problems.length > 0) throw platformErrors.validationFailed({ fields: problems });
    return { token, body: { ...body, ...contactOf(invitation) }, vouched: vouchedBy(invitation, body) };
  }

  /** While registration is closed, no codes are sent that could verify another contact. */
  private async additions(body: Body, { channel }: InvitationView): Promise<FieldProblem[]> {
    const field = otherField[channel];
    if (!isGiven(body[field]) || (await this.settings.get(registrationEnabled))) return [];
    return [{ field, code: 'invited_contact' }];
  }

  private async contradictions(body: Body, { channel, target }: InvitationView): Promise<FieldProblem[]> {
    const field = channel === 'email' ? 'email' : 'phone';
    const given = body[field];
    if (!isGiven(given)) return [];
    const key = channel === 'email' ? normalizeEmail(given)?.key : await this.phoneKey(given);
    return key === target ? [] : [{ field, code: 'invited_contact' }];
  }

  private async phoneKey(given: unknown): Promise<string | undefined> {
    return typeof given === 'string' ? this.normalizer.readPhone(given) : undefined;
  }
}

const contactOf = ({ channel, address }: InvitationView): { email: string } | { phone: string } =>
  channel === 'email' ? { email: address } : { phone: address };

const otherField = { email: 'phone', sms: 'email' } as const;

const isGiven = (contact: unknown): boolean => contact !== undefined && contact !== null && contact !== '';

function vouchedBy({ channel, target, address }: InvitationView, body: Body): VouchedContacts {
  const codesWaived = !isGiven(body[otherField[channel]]);
  if (channel === 'sms') return { provenPhone: target, codesWaived };
  return { provenEmail: { key: target, display: address }, codesWaived };
}
