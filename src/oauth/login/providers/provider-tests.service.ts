import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { randomToken } from '../../../platform/crypto';
import { Transactions } from '../../../platform/database';
import { platformErrors } from '../../../platform/errors';
import { OutboundClient } from '../../../platform/outbound';
import { ConfiguredProvider } from './configured-provider';
import { ProviderTestDto, TestOutcome, TestStep, testSteps } from './dto/provider-test.dto';
import { LoginAddressesService } from './login-addresses.service';
import { LoginProvider } from './login-provider.entity';
import { LoginProviderRepository } from './login-provider.repository';
import { targetOf } from './login-provider.view';
import { OAuthProviderAdapter, ProviderContext } from './oauth-provider-adapter';
import { ProviderAdapters } from './provider-adapters';
import { ProviderCalls } from './provider-calls';
import { ProviderFailure, reasonOf } from './provider-failure';
import { ProviderSecretsService } from './provider-secrets.service';
import { ProviderStrategy } from './provider-strategy';
import { resolveProvider } from './resolve-provider';
import { runStrategy, withinDeadline } from './run-strategy';
import { evaluateTokenError } from './token-errors';
import { loginProviderActs } from '../third-party-login.acts';

type Finding = ProviderTestDto['checks'][number];

/** Runs the steps of a login that need no user, for enabled and disabled providers. */
@Injectable()
export class ProviderTestsService {
  private readonly calls: ProviderCalls;

  constructor(
    private readonly repository: LoginProviderRepository,
    private readonly adapters: ProviderAdapters,
    private readonly secrets: ProviderSecretsService,
    private readonly outbound: OutboundClient,
    private readonly addresses: LoginAddressesService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {
    this.calls = new ProviderCalls(outbound);
  }

  /** A failing provider is a result, not an error. Errors: `not_found`. */
  async run(id: string): Promise<ProviderTestDto> {
    const row = await this.repository.find(id);
    if (!row) throw platformErrors.notFound();
    const checks = await this.check(row);
    const answer = { ok: checks.every(({ outcome }) => outcome === 'passed'), checks };
    const entry = loginProviderActs.test({ target: targetOf(row), after: answer });
    await this.transactions.run(() => this.audit.record(entry));
    return answer;
  }

  private async check(row: LoginProvider): Promise<Finding[]> {
    const adapter = this.adapters.find(row.template);
    const secret = this.secrets.find(row);
    if (!adapter) return [found('addresses', 'failed', 'template: unknown')];
    if (secret === undefined) return [found('credentials', 'failed', 'client_secret: cannot be decrypted')];
    const findings: Finding[] = [];
    const provider = { ...resolveProvider(row, adapter.preset), clientSecret: secret };
    try {
      await withinDeadline(() => this.steps(provider, adapter, findings));
    } catch (error) {
      const failed = found(testSteps[findings.length] ?? 'credentials', 'failed', reasonOf(error));
      return [...findings, failed];
    }
    return findings;
  }

  /** Runs the steps in order, because each depends on the previous one. A step that throws has failed. */
  private async steps(provider: ConfiguredProvider, adapter: OAuthProviderAdapter, findings: Finding[]): Promise<void> {
    const endpoints = await adapter.endpoints(provider, this.calls);
    await this.requireReachable(endpoints.authorizeUrl);
    findings.push(found('addresses', 'passed'));
    const context = { provider, endpoints, calls: this.calls };
    await adapter.checkKeys(context);
    const isPlain = !('jwksUri' in endpoints);
    findings.push(found('keys', 'passed', isPlain ? 'keys: none, plain OAuth 2.0 has no ID token' : null));
    findings.push(await tryCode(context, adapter, this.addresses.callback(provider.name)));
  }

  /** Validates the URL without calling it, because only the browser calls it. */
  private async requireReachable(address: string): Promise<void> {
    const violation = await this.outbound.check(address);
    if (violation !== undefined) throw new ProviderFailure(`authorize_url: ${violation}`);
  }
}

const found = (check: TestStep, outcome: TestOutcome, reason: string | null = null): Finding => ({
  check,
  outcome,
  reason,
});

/** Exchanges an invalid code. The kind of error shows whether the client is known. */
async function tryCode(context: ProviderContext, adapter: OAuthProviderAdapter, redirectUri: string): Promise<Finding> {
  const { provider } = context;
  const code = randomToken();
  const verifier = provider.pkce ? { codeVerifier: randomToken() } : {};
  const callback = { params: { code }, redirectUri, nonce: randomToken(), ...verifier };
  const options = { session: false, callbackURL: redirectUri, ...verifier } as const;
  try {
    await runStrategy(new ProviderStrategy(adapter, context), { query: { code }, callback }, options);
    return found('credentials', 'unclear', 'token: accepts any code');
  } catch (error) {
    const outcome = evaluateTokenError(error);
    return found('credentials', outcome, reasonOf(error));
  }
}
