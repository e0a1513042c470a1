export { clientEvents } from './core/authorization-server.acts';
export { ClientCreationService } from './clients/client-creation.service';
export { ClientsService } from './clients/clients.service';
export {
  ClientDto,
  clientDto,
  CreateClientDto,
  createdClientDto,
  ListClientsDto,
  RotateSecretDto,
} from './clients/client.dto';
export { GRANT_TYPES, OAuthClient } from './clients/client.entity';
export { OAuthConsent } from './clients/consent.entity';
export type { ConsentRow } from './clients/consent.repository';
export { ConsentsService } from './consents/consents.service';
export { ClientRepository } from './clients/client.repository';
export { ClientGrantsService } from './clients/client-grants.service';
export { ClientTrustService } from './clients/client-trust.service';
export { ClientCache } from './clients/client.cache';
export { resourceOf, serviceOf } from './clients/resource-name';
export { ResourcesService } from './engine/resources.service';
export { ClientTokenService } from './client-token.service';
export { InteractionsService } from './interactions/interactions.service';
export { OAuthKeysService } from './oauth-keys.service';
export * from './authorization-server.module';
export { OidcModel } from './storage/oidc-model.entity';
export { PendingLogoutNotice } from './storage/pending-logout-notice.entity';
