import { Injectable } from '@nestjs/common';
import { Caller } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { IssuerService } from '../../../platform/http';
import { Language, TextParams, TranslatorService } from '../../../platform/i18n';
import { HeldRole } from '../../../rbac';
import { ShownUsersService, UserView } from '../../../users';
import { ClientAccessService } from '../clients/client-access.service';
import { ClaimMapping, ClaimPlace, WHOLE_FILTER } from '../clients/client-claims';
import { ORGANIZATION_SCOPE } from '../clients/client-scopes.service';
import { OAuthClient } from '../clients/client.entity';
import { ClientAdmissionService } from './client-admission.service';
import { ClientPreviewDto, PreviewClientDto } from './client-preview.dto';
import { Claims } from './claim-size';
import { isEntitled, MappedClaimsService } from './mapped-claims.service';
import { OrganizationChoice, OrganizationChoiceService } from './organization-choice.service';
import { OrganizationClaimsService } from './organization-claims.service';
import { CLAIMS_OF_SCOPES, profileClaims } from './profile-claims';

type PreviewedClaim = ClientPreviewDto['id_token'][number];
type Words = (key: string, params?: TextParams) => string;

interface Subject {
  readonly client: OAuthClient;
  readonly user: UserView;
  readonly scopes: readonly string[];
  /** Named in the request. */
  readonly organization: string | undefined;
  /** The caller sees no more than what the user has consented to. Undefined: all. */
  readonly consented: ReadonlySet<string> | undefined;
  readonly words: Words;
}

/** A subject, with the claims about the organization. */
type Described = Subject & { readonly own: Claims };

const NOTHING = { allowed: false, id_token: [], userinfo: [], access_token: [] };

const isIn = (names: readonly string[], name: string): boolean => names.includes(name);

/** Shows what the tokens of a user would contain, composed as for real tokens, and why. */
@Injectable()
export class ClientPreviewService {
  constructor(
    private readonly access: ClientAccessService,
    private readonly users: ShownUsersService,
    private readonly admission: ClientAdmissionService,
    private readonly mapped: MappedClaimsService,
    private readonly issuer: IssuerService,
    private readonly translator: TranslatorService,
    private readonly choices: OrganizationChoiceService,
    private readonly organizationClaims: OrganizationClaimsService,
  ) {}

  /**
   * Leaves out the claims that differ each time, such as `exp` and `nonce`.
   * Errors: `not_found`, `permission_denied`, `validation_failed` (unknown user, scope that the client does not have).
   */
  async preview(caller: Caller, id: string, body: PreviewClientDto, language: Language): Promise<ClientPreviewDto> {
    const { client, consented } = await this.access.findForPreview(caller, id, body.user_id);
    const { scopes = client.scopes } = body;
    requireScopes(client, scopes);
    const user = await this.users.get(body.user_id);
    if (!user) {
      const params = { id: body.user_id };
      throw platformErrors.validationFailed({ fields: [{ field: 'user_id', code: 'unknown_user', params }] });
    }
    const words: Words = (key, params) => this.translator.text(language, 'provider', `preview.${key}`, params);
    return this.build({ client, user, scopes, organization: body.organization, consented, words });
  }

  private async build(subject: Subject): Promise<ClientPreviewDto> {
    const { allowed, reason } = await this.admit(subject);
    if (!allowed) return { ...NOTHING, reason };
    const choice = await this.choose(subject);
    if ('rejected' in choice) return { ...NOTHING, reason: subject.words(`access_${choice.rejected}`) };
    const shown = consentedPart(subject);
    const member = { userId: shown.user.id, organizationId: choice.organizationId };
    const described = { ...shown, own: await this.organizationClaims.ofMember(member, shown.scopes) };
    const hasIdentity = isIn(shown.scopes, 'openid');
    return {
      allowed,
      reason,
      id_token: hasIdentity ? await this.claims(described, 'id_token') : [],
      userinfo: hasIdentity ? await this.claims(described, 'userinfo') : [],
      access_token: await this.claims(described, 'access_token'),
    };
  }

  private async choose({ client, user, scopes, organization }: Subject): Promise<OrganizationChoice> {
    if (!isIn(scopes, ORGANIZATION_SCOPE)) return { organizationId: undefined };
    return this.choices.choose(client, { userId: user.id }, organization);
  }

  private async admit({
    client,
    user,
    scopes,
    consented,
    words,
  }: Subject): Promise<{ allowed: boolean; reason: string }> {
    if (!client.enabled) return { allowed: false, reason: words('client_disabled') };
    if (user.status !== 'active') return { allowed: false, reason: words('user_disabled') };
    const admission = await this.admission.decide(client, { userId: user.id });
    const role = 'role' in admission ? nameOf(admission.role) : '';
    const group = 'group' in admission ? admission.group.name : '';
    const reason = words(`access_${admission.because}`, { role, group });
    if (consented) return { allowed: admission.allowed, reason: `${reason} ${words('consented_only')}` };
    const isSilent = client.claims.length > 0 && !isEntitled(client, scopes);
    return { allowed: admission.allowed, reason: isSilent ? `${reason} ${words('needs_scope')}` : reason };
  }

  private async claims(subject: Described, place: ClaimPlace): Promise<PreviewedClaim[]> {
    const { client, user, scopes, own, words } = subject;
    const request = { client, userId: user.id, scopes, own };
    const resolved = await this.mapped.resolve(request, place);
    const composed = await this.mapped.compose(request, place);
    const mapped = Object.entries(composed).map(([name, value]) => {
      if (name in own) return { name, value, reason: words('scope', { scope: ORGANIZATION_SCOPE }) };
      const mapping = resolved.find((claim) => claim.mapping.name === name)?.mapping;
      return { name, value, reason: mapping ? reasonOf(mapping, place, words) : words('reference') };
    });
    return [...this.protocolClaims(subject, place), ...mapped];
  }

  /** The user's id, and the claims of the scopes, which the ID token has only if the client requests it. */
  private protocolClaims({ client, user, scopes, words }: Subject, place: ClaimPlace): PreviewedClaim[] {
    const own = { name: 'sub', value: user.id, reason: words('always') };
    if (place === 'access_token' || (place === 'id_token' && !client.idTokenClaims)) return [own];
    const claims = Object.entries(profileClaims(user, this.issuer.url)).filter(([name]) => name !== 'sub');
    return [
      own,
      ...claims.flatMap(([name, value]) => {
        const scope = Object.entries(CLAIMS_OF_SCOPES).find(([, names]) => isIn(names, name))?.[0] ?? '';
        return isIn(scopes, scope) ? [{ name, value, reason: words('scope', { scope }) }] : [];
      }),
    ];
  }
}

/** What the caller may see. A first party needs no consent, so its mapped claims count as those of others. */
function consentedPart(subject: Subject): Subject {
  const { client, scopes, consented } = subject;
  if (!consented) return subject;
  return {
    ...subject,
    client: Object.assign(new OAuthClient(), client, { firstParty: false }),
    scopes: scopes.filter((scope) => consented.has(scope)),
  };
}

const nameOf = ({ scope, name }: HeldRole): string => `${scope}:${name}`;

function reasonOf({ from, filter, value = '', in: places }: ClaimMapping, place: ClaimPlace, words: Words): string {
  const isWhole = filter === undefined || filter === WHOLE_FILTER;
  const reason = words(isWhole ? `all.${from}` : `some.${from}`, { filter: filter ?? '', value });
  return places.includes(place) ? reason : `${reason}. ${words('too_large')}`;
}

function requireScopes(client: OAuthClient, scopes: readonly string[]): void {
  const fields = scopes.flatMap((scope, index) =>
    client.scopes.includes(scope) ? [] : [{ field: `scopes[${index}]`, code: 'client_scope' }],
  );
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
}
